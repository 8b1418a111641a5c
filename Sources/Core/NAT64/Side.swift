/// Where a packet came from, or goes to.
public enum Side: UInt8, CaseIterable, Hashable, Sendable {
    case ipv6, ipv4
}
