// SPDX-License-Identifier: Apache-2.0
import Sandbox
import Text

/// A program that starts with `#!` and the path of its interpreter.
struct Script: Equatable {
    /// The interpreter and the words after it.
    let words: [OSString]

    /// The number of octets that the kernel reads (BINPRM_BUF_SIZE).
    private static let lineLimit = 256

    /// `nil` if this is no script.
    init?(_ file: borrowing FileBytes) {
        let start = file.read(upTo: Self.lineLimit, at: 0)
        guard start.starts(with: Array("#!".utf8)) else { return nil }
        let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { OSString(Array($0)) }
        if words.isEmpty { return nil }
    }

    /// The program that executes the script. `env` only looks it up in PATH, so its options and assignments are skipped.
    func interpreter(path: OSString?) -> OSString? {
        guard let first = words.first else { return nil }
        guard baseName(first.description) == "env" else { return first }
        let name = words.dropFirst().first { word in
            word.bytes.first != UInt8(ascii: "-") && !word.bytes.contains(UInt8(ascii: "="))
        }
        guard let name else { return first }
        if case .success(let program) = Executable.find(name, path: path) { return program }
        return first
    }
}
