import Uplink
import Wire

/// What clients can reach on the far side: the world's hosts, and what the uplink lets through.
///
/// Each packet path has a copy of its own, which it refreshes before it looks at packets that have come.
struct Reach {
    private let ipv4Hosts: Set<IPv4Address>
    private let ipv6Hosts: Set<IPv6Address>
    /// `nil` in a hermetic world.
    private let uplink: DestinationBoard?
    /// `nil` in a hermetic world.
    private var destinations: AllowedDestinations?
    private var version: UInt64 = 0

    init(ipv4Hosts: Set<IPv4Address>, ipv6Hosts: Set<IPv6Address>, uplink: DestinationBoard? = nil) {
        self.ipv4Hosts = ipv4Hosts
        self.ipv6Hosts = ipv6Hosts
        self.uplink = uplink
        destinations = uplink?.current
    }

    mutating func refresh() {
        if let changed = uplink?.changes(since: &version) { destinations = changed }
    }

    func contains(_ address: IPv4Address) -> Bool {
        ipv4Hosts.contains(address) || destinations?.contains(address) == true
    }

    func contains(_ address: IPv6Address) -> Bool {
        ipv6Hosts.contains(address) || destinations?.contains(address) == true
    }
}
