// SPDX-License-Identifier: Apache-2.0
package import Sandbox

/// A daemon to use instead of this process's own simulator, and the option or variable that names it.
package struct ChosenSimulator {
    /// The value that selects this process's own simulator.
    package static let own = "own"
    private static let variable = "IPV6CHECK_SIMULATOR"
    private static let scheme = "unix:"

    /// `unix:PATH` of its attach socket, or another text that the user gave for it.
    package let text: String
    private let source: String

    /// `nil` is this process's own simulator.
    /// - Parameters:
    ///   - option: the value of `--simulator`, which takes precedence over the environment.
    ///   - environment: the user's.
    package init?(option: String?, _ environment: Environment) {
        let text = option ?? environment[Self.variable]?.description ?? ""
        if text.isEmpty || text == Self.own { return nil }
        self.text = text
        source = option == nil ? Self.variable : "--simulator"
    }

    /// The same for a process in another folder.
    /// - Parameter folder: the absolute path of the folder where the user gave it.
    package func given(in folder: String) -> String {
        guard text.hasPrefix(Self.scheme), case let path = text.dropFirst(Self.scheme.count), !path.isEmpty,
            !path.hasPrefix("/")
        else { return text }
        return "\(Self.scheme)\(folder)/\(path)"
    }

    /// The path of its attach socket.
    func socketPath() throws(CheckFailure) -> String {
        guard text.hasPrefix(Self.scheme), text != Self.scheme else {
            throw CheckFailure(
                "\(source): \(text) is neither unix:PATH nor own; give unix:/run/nat64sim/attach.sock, for example",
                .usage)
        }
        return String(text.dropFirst(Self.scheme.count))
    }
}

extension ChosenSimulator: CustomStringConvertible {
    package var description: String { "\(source) \(text)" }
}
