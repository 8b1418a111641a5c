// SPDX-License-Identifier: Apache-2.0

/// The names of setsockopt's numbers in Linux's headers.
enum SocketOptionNames {
    /// `IPPROTO_IPV6, IPV6_V6ONLY`; `IPPROTO_IP, option 99` for an option without a name here.
    static func phrase(level: Int, option: Int) -> String {
        guard let name = levels[level] else { return "level \(level), option \(option)" }
        return "\(name), \(options[level]?[option] ?? "option \(option)")"
    }

    private static let levels = [
        0: "IPPROTO_IP", 1: "SOL_SOCKET", 6: "IPPROTO_TCP", 17: "IPPROTO_UDP", 41: "IPPROTO_IPV6",
    ]

    // linux/in.h, linux/in6.h: the options that programs for either family set.
    private static let options = [
        0: [
            1: "IP_TOS", 2: "IP_TTL", 3: "IP_HDRINCL", 4: "IP_OPTIONS", 8: "IP_PKTINFO", 10: "IP_MTU_DISCOVER",
            11: "IP_RECVERR", 12: "IP_RECVTTL", 13: "IP_RECVTOS", 14: "IP_MTU", 15: "IP_FREEBIND",
            19: "IP_TRANSPARENT", 24: "IP_BIND_ADDRESS_NO_PORT", 32: "IP_MULTICAST_IF", 33: "IP_MULTICAST_TTL",
            34: "IP_MULTICAST_LOOP", 35: "IP_ADD_MEMBERSHIP", 36: "IP_DROP_MEMBERSHIP",
            39: "IP_ADD_SOURCE_MEMBERSHIP", 42: "MCAST_JOIN_GROUP",
        ],
        41: [
            16: "IPV6_UNICAST_HOPS", 17: "IPV6_MULTICAST_IF", 18: "IPV6_MULTICAST_HOPS", 19: "IPV6_MULTICAST_LOOP",
            20: "IPV6_JOIN_GROUP", 21: "IPV6_LEAVE_GROUP", 23: "IPV6_MTU_DISCOVER", 24: "IPV6_MTU",
            25: "IPV6_RECVERR", 26: "IPV6_V6ONLY", 42: "MCAST_JOIN_GROUP", 49: "IPV6_RECVPKTINFO",
            51: "IPV6_RECVHOPLIMIT", 66: "IPV6_RECVTCLASS", 67: "IPV6_TCLASS",
        ],
    ]
}
