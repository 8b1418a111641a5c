// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Wire

/// The source of a host's address that a client used.
package enum HostLookup: Hashable, Sendable {
    /// The C library, which a program asked.
    case function(Lookup)
    /// The network's DNS: no call to the C library was seen for this name.
    case network(DomainName)
    /// One of the world's resolvers.
    case resolver(ServedQuery)
}

/// The sources of hosts' addresses for a client. Made once for many flows.
package struct HostLookups: Sendable {
    private var functions: [IPAddress: Lookup] = [:]
    /// Literals for which getaddrinfo synthesised addresses.
    private var synthesised: [IPAddress: Lookup] = [:]
    private var resolvers: [IPAddress: ServedQuery] = [:]
    private let names: KnownNames

    package init(_ run: RunEvidence) {
        names = run.names
        for lookup in run.lookups where lookup.node.map({ IPAddress($0) == nil }) == true {
            for address in lookup.answers where functions[address] == nil { functions[address] = lookup }
        }
        for lookup in run.lookups where lookup.literal != nil {
            for address in lookup.synthesised where synthesised[.ipv6(address)] == nil {
                synthesised[.ipv6(address)] = lookup
            }
        }
        for query in run.seen.servedQueries {
            for address in query.addresses where resolvers[address] == nil { resolvers[address] = query }
        }
    }

    /// `nil` if no look-up had the address: the client had it otherwise.
    package subscript(flow: Flow) -> HostLookup? {
        if let lookup = functions[flow.remote] { return .function(lookup) }
        if let name = names[flow] { return .network(name) }
        let told = resolvers[flow.remote] ?? flow.ipv4Destination.flatMap { resolvers[.ipv4($0)] }
        if let told { return .resolver(told) }
        return synthesised[flow.remote].map { .function($0) }
    }
}

extension RunEvidence {
    /// The flow on the client's link that contains a connection of a server.
    package func flow(of connection: ServedConnection) -> Flow? {
        seen.flows.first { flow in
            flow.transport == .tcp && flow.port == connection.port && !flow.isInbound
                && (flow.remote == connection.address || flow.ipv4Destination.map(IPAddress.ipv4) == connection.address)
        }
    }
}
