// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxNet
internal import Wire

/// The name servers that the host's own programs use (resolv.conf(5)).
enum HostResolvers {
    /// MAXNS of the C library, which ignores further servers.
    static let maximum = 3
    /// Maximum octets of the file that are read.
    static let maximumFileLength = 1 << 16

    static func read(_ path: String = "/etc/resolv.conf") -> [IPAddress] {
        guard let file = try? Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK),
            let contents = try? MemoryFile.contents(of: file, maximum: maximumFileLength)
        else { return parse([]) }
        return parse(contents)
    }

    /// - Returns: at least one server: without any in the file, the resolver on the host itself.
    static func parse(_ contents: [UInt8]) -> [IPAddress] {
        let lines = contents.prefix(maximumFileLength).split(separator: UInt8(ascii: "\n"))
        let named = lines.lazy.compactMap(server).prefix(maximum)
        return named.isEmpty ? [.ipv4(IPv4Address(127, 0, 0, 1))] : Array(named)
    }

    /// The keyword must start the line; an address with a zone (`fe80::1%eth0`) is skipped, as no other network has the zone.
    private static func server(_ line: ArraySlice<UInt8>) -> IPAddress? {
        let keyword = Array("nameserver".utf8)
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        guard line.starts(with: keyword), words.count >= 2, words[0].elementsEqual(keyword), words[1].count <= 64
        else { return nil }
        return IPAddress(String(decoding: words[1], as: UTF8.self))
    }
}
