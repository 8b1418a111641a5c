// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxNet

/// Information of /proc about a stopped process or thread.
struct ProcessFiles {
    private let folder: String

    private static let textLimit = 64 << 10
    private static let environmentLimit = 256 << 10
    private static let mapsLimit = 1 << 20

    init(_ process: Int32) {
        folder = "/proc/\(process)/"
    }

    /// The path of its executable; empty if this process may not read it.
    var executable: String { link("exe") }
    var workingDirectory: String { link("cwd") }

    /// The path of the file behind a descriptor.
    func path(of descriptor: Int32) -> String { link("fd/\(descriptor)") }

    var arguments: [String] {
        contents("cmdline", limit: Self.textLimit).split(separator: 0, omittingEmptySubsequences: false).dropLast().map
        {
            String(decoding: $0, as: UTF8.self)
        }
    }

    var environment: [UInt8] { contents("environ", limit: Self.environmentLimit) }

    /// Whether its user namespace has only one user, as an ordinary user's namespace has (user_namespaces(7)).
    var hasOneUser: Bool {
        let map = contents("uid_map", limit: 4096).split { [UInt8(ascii: " "), UInt8(ascii: "\n")].contains($0) }
        return map.count == 3 && map[2].elementsEqual("1".utf8)
    }

    /// The mappings of files, in which a stack's addresses are looked up.
    var maps: [UInt8] {
        let lines = contents("maps", limit: Self.mapsLimit).split(separator: UInt8(ascii: "\n"))
        return Array(
            lines.filter { $0.contains(UInt8(ascii: "/")) || $0.contains(UInt8(ascii: "[")) }.joined(separator: [
                UInt8(ascii: "\n")
            ]))
            + [UInt8(ascii: "\n")]
    }

    struct Status {
        /// The thread group id, usually called process id.
        var process: Int32
        var parent: Int32
        /// The process id that the client sees.
        var inner: Int32
    }

    var status: Status? {
        var fields: [Substring: Substring] = [:]
        for line in String(decoding: contents("status", limit: 4096), as: UTF8.self).split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon]] = line[line.index(after: colon)...].drop { $0.isWhitespace }
        }
        guard let process = fields["Tgid"].flatMap({ Int32($0) }), let parent = fields["PPid"].flatMap({ Int32($0) })
        else {
            return nil
        }
        let inner = fields["NStgid"]?.split { $0.isWhitespace }.last.flatMap { Int32($0) }
        return Status(process: process, parent: parent, inner: inner ?? process)
    }

    private func contents(_ name: String, limit: Int) -> [UInt8] {
        (try? Descriptor.contents(of: folder + name, limit: limit)) ?? []
    }

    private func link(_ name: String) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe readlink(folder + name, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : ""
    }
}
