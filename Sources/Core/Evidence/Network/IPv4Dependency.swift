// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Translation
package import Wire

/// A client's traffic to one IPv4 address, protocol and port, through its CLAT.
package struct IPv4Dependency: Hashable, Sendable {
    /// The process that sent it.
    package struct Process: Hashable, Sendable {
        /// The process ID in the client's PID namespace.
        package var number: Int32
        /// The path of the executable, or its name.
        package var program: String
    }

    package var flow: Flow
    package var address: IPv4Address
    /// The name whose DNS answer had the address; `nil` if there is none.
    package var name: DomainName?
    /// The first process that used it; `nil` if that is not known.
    package var process: Process?
    /// Whether the client also reached this protocol and port by IPv6, at this address through the NAT64 or at an IPv6 address of the same
    /// name: then it does not need the CLAT for it.
    package var hasIPv6: Bool
}

extension RunEvidence {
    /// The flows that crossed the CLAT, in the order of their first packets; empty on a network without one. Packets that end on the
    /// client's link, such as multicast, do not cross it.
    package var ipv4Dependencies: [IPv4Dependency] {
        guard network == .nat64CLAT else { return [] }
        let names = names
        let answered = seen.flows.filter(\.isAnswered)
        let byIPv6 = Set(
            answered.compactMap { flow in
                if case .translated(let address) = flow.route {
                    FarEnd(address: address, transport: flow.transport, port: flow.port)
                } else {
                    nil
                }
            })
        let servicesByIPv6 = Set(answered.filter { $0.remote.ipv4 == nil }.compactMap { NamedService($0, names) })
        let processes = processes
        return seen.flows.compactMap { flow in
            guard case .ipv4(let address) = flow.remote, !flow.isInbound, !address.isIllegal else { return nil }
            let end = FarEnd(address: address, transport: flow.transport, port: flow.port)
            return IPv4Dependency(
                flow: flow, address: address, name: names[flow], process: processes(end),
                hasIPv6: byIPv6.contains(end) || NamedService(flow, names).map(servicesByIPv6.contains) == true)
        }
    }

    /// The IPv4 destination of a flow.
    private struct FarEnd: Hashable {
        var address: IPv4Address
        var transport: Flow.Transport
        var port: UInt16
    }

    /// A port of the hosts that have a name.
    private struct NamedService: Hashable {
        var name: DomainName
        var transport: Flow.Transport
        var port: UInt16

        /// - Returns: `nil` if the flow's far end has no name.
        init?(_ flow: Flow, _ names: KnownNames) {
            guard let name = names[flow] else { return nil }
            (self.name, transport, port) = (name, flow.transport, flow.port)
        }
    }

    /// Returns a function that finds the first process that used a destination: the one that made the first traced call to it; otherwise
    /// the first one whose look-up (getaddrinfo or a similar function) returned the address, or had it as a literal.
    private var processes: (FarEnd) -> IPv4Dependency.Process? {
        struct Called: Hashable {
            var address: IPv4Address
            var port: UInt16
        }
        var callers: [Called: IPv4Dependency.Process] = [:]
        for call in calls?.attempts ?? [] {
            guard case .ip(.ipv4(let address), let port) = call.address, let program = calls?.program(of: call) else {
                continue
            }
            let called = Called(address: address, port: port)
            if callers[called] == nil {
                callers[called] = IPv4Dependency.Process(number: program.process, program: program.executable)
            }
        }
        var askers: [IPv4Address: IPv4Dependency.Process] = [:]
        for lookup in lookups {
            guard let program = lookup.site.program else { continue }
            for case .ipv4(let address) in lookup.answers + (lookup.literal.map { [.ipv4($0)] } ?? [])
            where askers[address] == nil {
                askers[address] = IPv4Dependency.Process(number: Int32(clamping: lookup.process), program: program)
            }
        }
        return { callers[Called(address: $0.address, port: $0.port)] ?? askers[$0.address] }
    }
}
