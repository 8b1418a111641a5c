// SPDX-License-Identifier: Apache-2.0
extension MessageFlags: CustomStringConvertible {
    /// The flags that are set, with the names and in the order of `dig`.
    public var description: String {
        let names: [(MessageFlags, String)] = [
            (.response, "qr"), (.authoritativeAnswer, "aa"), (.truncated, "tc"), (.recursionDesired, "rd"),
            (.recursionAvailable, "ra"), (.authenticData, "ad"), (.checkingDisabled, "cd"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}
