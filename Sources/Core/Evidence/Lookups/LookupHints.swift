// SPDX-License-Identifier: Apache-2.0
/// The hints of getaddrinfo, in Linux's numbers, and their names.
package struct LookupHints: Codable, Hashable, Sendable {
    package var family: Int
    package var socktype: Int
    package var `protocol`: Int
    package var flags: Int

    package init(family: Int, socktype: Int, protocol: Int, flags: Int) {
        self.family = family
        self.socktype = socktype
        self.protocol = `protocol`
        self.flags = flags
    }

    package static let ipv4 = 2
    package static let ipv6 = 10
    package static let numericHost = 0x4
    /// AI_ADDRCONFIG
    package static let addressConfigured = 0x20

    /// Names of `ai_family`.
    package static let families: [(name: String, number: Int)] = [
        ("AF_UNSPEC", 0), ("AF_INET", ipv4), ("AF_INET6", ipv6),
    ]
    /// Names of `ai_socktype`.
    package static let socktypes: [(name: String, number: Int)] = [
        ("SOCK_STREAM", 1), ("SOCK_DGRAM", 2), ("SOCK_RAW", 3),
    ]
    /// Names of the bits of `ai_flags`.
    package static let flags: [(name: String, number: Int)] = [
        ("AI_PASSIVE", 0x1), ("AI_CANONNAME", 0x2), ("AI_NUMERICHOST", numericHost), ("AI_V4MAPPED", 0x8),
        ("AI_ALL", 0x10), ("AI_ADDRCONFIG", addressConfigured), ("AI_IDN", 0x40), ("AI_CANONIDN", 0x80),
        ("AI_NUMERICSERV", 0x400),
    ]

    /// The hints that the client set, by name: the family always, the others if they are not 0.
    package var names: [String] {
        var names = [Self.families.first { $0.number == family }?.name ?? "family \(family)"]
        if socktype != 0 {
            names.append(Self.socktypes.first { $0.number == socktype }?.name ?? "socktype \(socktype)")
        }
        if `protocol` != 0 { names.append("protocol \(`protocol`)") }
        names += Self.flags.filter { flags & $0.number != 0 }.map(\.name)
        let unnamed = flags & ~Self.flags.reduce(0) { $0 | $1.number }
        if unnamed != 0 { names.append("0x" + String(unnamed, radix: 16)) }
        return names
    }
}

/// The results of getaddrinfo other than 0, by name, in Linux's numbers.
package enum LookupError {
    private static let names = [
        -1: "EAI_BADFLAGS", -2: "EAI_NONAME", -3: "EAI_AGAIN", -4: "EAI_FAIL", -5: "EAI_NODATA", -6: "EAI_FAMILY",
        -7: "EAI_SOCKTYPE", -8: "EAI_SERVICE", -9: "EAI_ADDRFAMILY", -10: "EAI_MEMORY", -11: "EAI_SYSTEM",
        -12: "EAI_OVERFLOW",
    ]

    package static func name(_ number: Int) -> String { names[number] ?? "error \(number)" }
}
