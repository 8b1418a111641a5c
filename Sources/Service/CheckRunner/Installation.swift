// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// This executable, and the files that are installed with it or belong to the checkout that it was built in.
package enum Installation {
    /// The folder of this executable, with a slash at its end.
    static let folder: String? = {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return path.flatMap { path in path.lastIndex(of: "/").map { String(path[...$0]) } }
    }()

    /// The checkout whose `.build` contains an executable, with a slash at its end; `nil` for an installed one.
    /// - Parameter folder: the executable's.
    static func checkout(of folder: String) -> String? {
        let parts = folder.split(separator: "/")
        // SwiftPM's `.build/release` is a link to a folder one level deeper, which /proc/self/exe names.
        guard let last = parts.last, ["debug", "release"].contains(last), let build = parts.lastIndex(of: ".build"),
            (2...3).contains(parts.count - build)
        else { return nil }
        return parts[..<build].map { "/\($0)" }.joined() + "/"
    }

    /// A script of the checkout, as a command; `nil` for an installed executable, or if there is no such script.
    static func script(_ name: String, seenFrom folder: String? = folder) -> String? {
        existing(folder.flatMap(checkout).map { "\($0)scripts/\(name)" })
    }

    /// The path of a shipped document; `nil` if it is missing, as in an image without documentation.
    package static func document(_ name: String) -> String? { document(name, seenFrom: folder) }

    static func document(_ name: String, seenFrom folder: String?) -> String? {
        guard let folder else { return nil }
        let prefix = folder.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        return existing("\(prefix)/share/doc/ipv6check/\(name)")
            ?? existing(checkout(of: folder).map { "\($0)docs/\(name)" })
    }

    private static func existing(_ path: String?) -> String? {
        path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }
}
