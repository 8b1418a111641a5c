// SPDX-License-Identifier: Apache-2.0
extension [StackFrame] {
    private static var announcedLimit: Int { 64 }

    /// Reads a stack as the preloaded library and the hook of Node send it: one line per frame, innermost first; file, line and function,
    /// separated by tabs. Lines of another form are skipped, and so are those after the first 64.
    package init(announced text: Substring) {
        self = text.split(separator: "\n", maxSplits: Self.announcedLimit).prefix(Self.announcedLimit).compactMap {
            line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 3, !fields[0].isEmpty else { return nil }
            return StackFrame(
                function: fields[2].isEmpty ? nil : String(fields[2]), file: String(fields[0]),
                line: Int(fields[1]).flatMap { $0 > 0 ? $0 : nil })
        }
    }
}
