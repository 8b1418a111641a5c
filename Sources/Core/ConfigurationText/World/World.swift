// SPDX-License-Identifier: Apache-2.0
package import Topology
package import DNS64
package import DNSWire
package import Wire

/// Everything on the far side of the simulated network: hosts with their addresses and services, and what the DNS knows.
///
/// A world is consistent once it exists: no two services contend for a port, no name is both an alias and something else,
/// and every address is one that a host can have (`AddressRules`).
package struct World: Sendable {
    package let hosts: [Host]
    /// The records of the DNS besides the zones, the addresses of the hosts included.
    package let records: [ResourceRecord]
    /// The PTR records of the hosts' addresses, but for those that `records` or a zone says otherwise about.
    package internal(set) var reverseRecords: [ResourceRecord] = []
    /// For the names in these the DNS has their records, and no others.
    package let zones: [Zone]
    /// The servers that the DNS asks about all other names; `nil` if those do not exist.
    package var forwarders: ForwarderConfiguration?
    /// Whether the DNS validates what it tells.
    package let validation: Validation?
    /// The sockets to listen on, ordered by address and port. Hosts that share an address share its services' sockets.
    package let services: [Service]
    /// The ways to hosts that are further away than the simulator's own link.
    package var paths: [HostPath] = []
    /// How clients are told of it where there is a DNS64.
    package var dns64 = DNS64Settings()

    /// The contents of a zone file.
    package struct Zone: Hashable, Sendable {
        package let apex: DomainName
        package let records: [ResourceRecord]
    }

    /// A machine of the world.
    package struct Host: Hashable, Sendable {
        package let name: DomainName
        package let addresses: [IPAddress]
    }

    /// A socket that answers, and in whose name.
    package struct Service: Hashable, Sendable {
        package let kind: ServiceKind
        package let address: IPAddress
        package let port: UInt16
        /// The hosts that offer this service at this address, in the order of the world file.
        package let hostNames: [DomainName]
        /// Settings of `http`, `https` and `dot`.
        package var web = WebSettings()
    }

    /// Every IPv4 address that a host has, each once, in ascending order.
    package var ipv4Addresses: [IPv4Address] {
        Set(hosts.flatMap(\.addresses).compactMap(\.ipv4)).sorted()
    }

    /// Every address of a router on the way to a host that no host has, each once, in ascending order.
    package var routerAddresses: [IPAddress] {
        Set(paths.flatMap(\.routerAddresses)).subtracting(hosts.flatMap(\.addresses)).sorted()
    }

    /// Every IPv4 address that the world defines, in A records or as a host's or a router's, each once, in ascending order: all but those that
    /// no host can have (`AddressRules`).
    package var definedIPv4Addresses: [IPv4Address] {
        let all = records.lazy.map(\.data) + zones.lazy.flatMap(\.records).map(\.data)
        let written = all.compactMap { data -> IPv4Address? in
            guard case .a(let address) = data, AddressRules.objection(to: .ipv4(address)) == nil else { return nil }
            return address
        }
        return Set((hosts.flatMap(\.addresses) + routerAddresses).compactMap(\.ipv4) + written).sorted()
    }

    /// Every IPv6 address that a host has, each once, in ascending order.
    package var ipv6Addresses: [IPv6Address] {
        Set(hosts.flatMap(\.addresses).compactMap(\.ipv6)).sorted()
    }
}

extension World {
    /// An empty world: what stands beside the host's own network.
    package static let empty = World(hosts: [], records: [], zones: [], forwarders: nil, validation: nil, services: [])
}
