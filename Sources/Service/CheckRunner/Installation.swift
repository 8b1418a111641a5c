// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// This executable, and what is installed with it or belongs to the checkout that it was built in.
package enum Installation {
    /// The folder of this executable, with a slash at its end.
    static let folder: String? = {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return path.flatMap { path in path.lastIndex(of: "/").map { String(path[...$0]) } }
    }()

    /// The checkout in whose `.build` an executable is, with a slash at its end; `nil` of an installation.
    /// - Parameter folder: that of the executable.
    static func checkout(of folder: String) -> String? {
        let parts = folder.split(separator: "/")
        // SwiftPM's `.build/release` is a link into a folder deeper; /proc/self/exe names that.
        guard let last = parts.last, ["debug", "release"].contains(last), let build = parts.lastIndex(of: ".build"),
            (2...3).contains(parts.count - build)
        else { return nil }
        return parts[..<build].map { "/\($0)" }.joined() + "/"
    }

    /// A script of the checkout, as a command; `nil` of an installation.
    static func script(_ name: String, seenFrom folder: String? = folder) -> String? {
        existing(folder.flatMap(checkout).map { "\($0)scripts/\(name)" })
    }

    /// The path of a document that is shipped; `nil` if it is not there, as in an image without documentation.
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
