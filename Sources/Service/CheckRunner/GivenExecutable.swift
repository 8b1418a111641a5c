// SPDX-License-Identifier: Apache-2.0
import LinuxNet
package import Sandbox
import Text

extension Executable {
    /// The executable that the user named.
    /// - Parameters:
    ///   - path: the variable PATH.
    ///   - subcommands: the commands that the user may have meant.
    package static func given(
        _ name: OSString, path: OSString?, subcommands: [String] = []
    ) throws(CheckFailure) -> OSString {
        if name.bytes.isEmpty {
            throw CheckFailure("the program's name is empty; give a program of PATH, or a path to one", .usage)
        }
        switch find(name, path: path) {
        case .success(let program): return program
        case .failure(.EACCES):
            throw CheckFailure("\(name): not executable; if it is a program, try: chmod +x \(name)", .usage)
        case .failure(.EISDIR):
            throw CheckFailure("\(name): is a directory; give a program of PATH or a path to one", .usage)
        case .failure(.ENOENT) where name.bytes.contains(UInt8(ascii: "/")):
            throw CheckFailure("\(name): not found; give a program of PATH or a path to one", .usage)
        case .failure(.ENOENT):
            let suggestion =
                nearestWord(to: name.description, among: subcommands)
                .map { " (did you mean ipv6check \($0)?)" } ?? ""
            throw CheckFailure(
                "\(name): not found\(suggestion); give a program of PATH, or a path such as ./\(name)", .usage)
        case .failure(let reason):
            throw CheckFailure("\(name): \(reason)", .usage)
        }
    }
}
