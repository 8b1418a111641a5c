// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Wire

/// Who told a client the address of a host.
package enum HostLookup: Hashable, Sendable {
    /// The C library, which a program asked.
    case function(Lookup)
    /// The network's DNS, which was asked for this name by nobody that was seen to call the C library.
    case network(DomainName)
    /// A resolver of the world's.
    case resolver(ServedQuery)
}

/// Where a client has the addresses of hosts from. Made once for many flows.
package struct HostLookups: Sendable {
    private var functions: [IPAddress: Lookup] = [:]
    /// What getaddrinfo made of literals.
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

    /// `nil` if nobody did: the client had it otherwise.
    package subscript(flow: Flow) -> HostLookup? {
        if let lookup = functions[flow.remote] { return .function(lookup) }
        if let name = names[flow] { return .network(name) }
        let told = resolvers[flow.remote] ?? flow.ipv4Destination.flatMap { resolvers[.ipv4($0)] }
        if let told { return .resolver(told) }
        return synthesised[flow.remote].map { .function($0) }
    }
}

extension RunEvidence {
    /// The flow that a connection of a server's is part of, as the client's link saw it.
    package func flow(of connection: ServedConnection) -> Flow? {
        seen.flows.first { flow in
            flow.transport == .tcp && flow.port == connection.port && !flow.isInbound
                && (flow.remote == connection.address || flow.ipv4Destination.map(IPAddress.ipv4) == connection.address)
        }
    }
}
