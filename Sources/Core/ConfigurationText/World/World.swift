// SPDX-License-Identifier: Apache-2.0
package import Topology
package import DNS64
package import DNSWire
package import Wire

/// The far side of the simulated network: hosts with their addresses and services, and the records of the DNS.
///
/// A world is always consistent: no two services use the same port, no name is both an alias and something else, and every address is valid
/// for a host (`AddressRules`).
package struct World: Sendable {
    package let hosts: [Host]
    /// The records of the DNS outside the zones, including those of the hosts' addresses.
    package let records: [ResourceRecord]
    /// The PTR records of the hosts' addresses, except those that `records` or a zone overrides.
    package internal(set) var reverseRecords: [ResourceRecord] = []
    /// Zones whose records are all that the DNS has for their names.
    package let zones: [Zone]
    /// The servers that the DNS asks for all other names; `nil` if no others exist.
    package var forwarders: ForwarderConfiguration?
    /// How the DNS validates its answers; `nil` if it does not.
    package let validation: Validation?
    /// The sockets to listen on, ordered by address and port. Hosts that share an address share its services' sockets.
    package let services: [Service]
    /// The paths to hosts that are further away than the simulator's own link.
    package var paths: [HostPath] = []
    /// How queries are answered if there is a DNS64.
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

    /// A listening socket, and the hosts that it serves.
    package struct Service: Hashable, Sendable {
        package let kind: ServiceKind
        package let address: IPAddress
        package let port: UInt16
        /// The hosts that offer this service at this address, in the order of the world file.
        package let hostNames: [DomainName]
        /// For `http`, `https` and `dot`.
        package var web = WebSettings()
    }

    /// All IPv4 addresses of hosts, each once, in ascending order.
    package var ipv4Addresses: [IPv4Address] {
        Set(hosts.flatMap(\.addresses).compactMap(\.ipv4)).sorted()
    }

    /// All addresses of routers on the way to hosts that are not a host's, each once, in ascending order.
    package var routerAddresses: [IPAddress] {
        Set(paths.flatMap(\.routerAddresses)).subtracting(hosts.flatMap(\.addresses)).sorted()
    }

    /// All IPv4 addresses that the world defines, in A records or as a host's or a router's, each once, in ascending order: without those
    /// that no host can have (`AddressRules`).
    package var definedIPv4Addresses: [IPv4Address] {
        let all = records.lazy.map(\.data) + zones.lazy.flatMap(\.records).map(\.data)
        let written = all.compactMap { data -> IPv4Address? in
            guard case .a(let address) = data, AddressRules.objection(to: .ipv4(address)) == nil else { return nil }
            return address
        }
        return Set((hosts.flatMap(\.addresses) + routerAddresses).compactMap(\.ipv4) + written).sorted()
    }

    /// All IPv6 addresses of hosts, each once, in ascending order.
    package var ipv6Addresses: [IPv6Address] {
        Set(hosts.flatMap(\.addresses).compactMap(\.ipv6)).sorted()
    }
}

extension World {
    /// An empty world, for use with the host's own network.
    package static let empty = World(hosts: [], records: [], zones: [], forwarders: nil, validation: nil, services: [])
}
