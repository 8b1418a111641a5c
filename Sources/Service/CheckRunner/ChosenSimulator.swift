// SPDX-License-Identifier: Apache-2.0
package import Sandbox

/// A daemon that is to be used in place of a simulator of one's own, and where that was said.
package struct ChosenSimulator {
    /// What stands for a simulator of one's own.
    package static let own = "own"
    private static let variable = "IPV6CHECK_SIMULATOR"

    /// `unix:PATH` of its attach socket, or what the user took for that.
    package let text: String
    private let source: String

    /// `nil` is a simulator of one's own.
    /// - Parameters:
    ///   - option: what `--simulator` says, which counts for more than the environment.
    ///   - environment: the user's.
    package init?(option: String?, _ environment: Environment) {
        let text = option ?? environment[Self.variable]?.description ?? ""
        if text.isEmpty || text == Self.own { return nil }
        self.text = text
        source = option == nil ? Self.variable : "--simulator"
    }

    /// The path of its attach socket.
    func socketPath() throws(CheckFailure) -> String {
        let scheme = "unix:"
        guard text.hasPrefix(scheme), text != scheme else {
            throw CheckFailure(
                "\(source): \(text) is neither unix:PATH nor own; give unix:/run/nat64sim/attach.sock, for example",
                .usage)
        }
        return String(text.dropFirst(scheme.count))
    }
}

extension ChosenSimulator: CustomStringConvertible {
    package var description: String { "\(source) \(text)" }
}
