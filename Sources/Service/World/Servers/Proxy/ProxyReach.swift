// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Evidence
import Wire

/// The hosts that a proxy of the world can reach: only the world's hosts, by the names that the world's records give them.
///
/// Like a real proxy, it connects from its own host's addresses, so it cannot reach a host that has only the other family.
struct ProxyReach: Sendable {
    private let hosts: Set<IPAddress>
    private let ipv6: IPAddress?
    private let ipv4: IPAddress?
    private let resolver: PublicResolver

    /// Maximum addresses of a name to try.
    private static let attempts = 8

    init(_ service: World.Service, in world: World, _ resolver: PublicResolver) {
        hosts = Set(world.hosts.flatMap(\.addresses))
        let own = world.hosts.filter { service.hostNames.contains($0.name) }.flatMap(\.addresses)
        // Prefers the address that the client connected to, if the family allows.
        ipv6 = ([service.address] + own).first { $0.ipv6 != nil }
        ipv4 = ([service.address] + own).first { $0.ipv4 != nil }
        self.resolver = resolver
    }

    /// The address to connect from.
    func source(to address: IPAddress) -> IPAddress? { address.ipv4 == nil ? ipv6 : ipv4 }

    /// The addresses of the host that a client names, in the order to try them; or why there are none.
    func addresses(of host: String) -> Result<[IPAddress], Obstacle> {
        var addresses: [IPAddress]
        if let address = IPAddress(host) {
            addresses = [address]
        } else {
            guard let name = try? DomainName(host) else { return .failure(.nameUnknown) }
            // RFC 6724 §2.1: IPv6 is preferred.
            addresses = resolver.addresses(of: name, .aaaa) + resolver.addresses(of: name, .a)
            if addresses.isEmpty { return .failure(.nameUnknown) }
        }
        addresses.removeAll { !hosts.contains($0) || source(to: $0) == nil }
        return addresses.isEmpty ? .failure(.unroutable) : .success(Array(addresses.prefix(Self.attempts)))
    }

    enum Obstacle: Error {
        case nameUnknown
        case unroutable

        var result: ProxiedRequest.Result {
            switch self {
            case .nameUnknown: .nameUnknown
            case .unroutable: .unroutable
            }
        }
    }
}
