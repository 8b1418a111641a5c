// SPDX-License-Identifier: Apache-2.0
import Sandbox

/// `GOFLAGS` with `-count=1`, which has `go test` ignore its cache of results (`go help test`): otherwise, what passed on dual-stack would
/// pass everywhere. Go's other commands have no such flag, and ignore it.
///
/// The user's own flags come later, and take precedence. The variable hides the flags that `go env -w` has written to a file, so they are
/// taken from there.
enum GoFlags {
    static let name = "GOFLAGS"
    static let addition = "-count=1"
    private static let sizeLimit = 1 << 20

    /// The value for a client with this environment; `nil` if its own flags set the count.
    static func avoidingTestCache(_ environment: Environment) -> OSString? {
        let own = environment[name].flatMap { $0.bytes.isEmpty ? nil : $0.bytes }
        return avoidingTestCache(own ?? configuration(environment).flatMap(flags) ?? [])
    }

    /// - Parameter own: the user's flags, with blanks between them.
    static func avoidingTestCache(_ own: [UInt8]) -> OSString? {
        let words = String(decoding: own, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let names = words.map { $0.drop { $0 == "-" }.prefix { $0 != "=" } }
        if names.contains("count") || names.contains("test.count") { return nil }
        return OSString(Array(addition.utf8) + (words.isEmpty ? [] : [UInt8(ascii: " ")] + own))
    }

    /// The file that `go env -w` writes (`os.UserConfigDir`); `nil` if it is turned off or has no folder.
    static func configurationPath(_ environment: Environment) -> OSString? {
        func value(_ name: String) -> [UInt8]? { environment[name].flatMap { $0.bytes.isEmpty ? nil : $0.bytes } }
        if let path = value("GOENV") { return path == Array("off".utf8) ? nil : OSString(path) }
        let folder = value("XDG_CONFIG_HOME") ?? value("HOME").map { $0 + Array("/.config".utf8) }
        return folder.map { OSString($0 + Array("/go/env".utf8)) }
    }

    /// The flags in such a file, from the last line that has them; `nil` if none does.
    static func flags(in configuration: [UInt8]) -> [UInt8]? {
        let start = Array("\(name)=".utf8)
        return configuration.split(separator: UInt8(ascii: "\n")).last { $0.starts(with: start) }
            .map { Array($0.dropFirst(start.count)) }
    }

    private static func configuration(_ environment: Environment) -> [UInt8]? {
        guard let path = configurationPath(environment), let file = FileBytes(path: path) else { return nil }
        return file.read(upTo: sizeLimit, at: 0)
    }
}
