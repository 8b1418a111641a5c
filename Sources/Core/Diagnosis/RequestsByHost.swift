// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

/// A host by its name: its address differs between the networks.
struct NamedHost: Hashable {
    let name: DomainName
    let transport: Flow.Transport
    let port: UInt16
}

extension RunEvidence {
    /// The client's connections that were accepted, and with `datagrams` what it sent by UDP, by the names of their hosts.
    func requestsByHost(datagrams: Bool = false) -> [NamedHost: Requests] {
        let names = names
        // A client that asks at each address of a host asks at fewer here.
        let withIPv6 = Set(seen.flows.filter { !$0.remote.isIPv4 }.compactMap { names[$0] })
        func host(of flow: Flow) -> NamedHost? {
            guard flow.transport == .tcp && flow.accepted > 0 || datagrams && flow.transport == .udp && flow.port != 53,
                !flow.isInbound, let name = names[flow],
                !flow.remote.isIPv4 || !withIPv6.contains(name)
            else { return nil }
            return NamedHost(name: name, transport: flow.transport, port: flow.port)
        }
        var hosts: [NamedHost: Requests] = [:]
        for flow in seen.flows {
            if let host = host(of: flow) { hosts[host, default: Requests()].add(flow) }
        }
        for connection in seen.connections {
            if let host = flow(of: connection).flatMap(host) { hosts[host]?.add(connection) }
        }
        return hosts
    }
}

extension Examination {
    /// The client's runs on the network in question.
    var runsHere: [RunEvidence] { [run, again, later].compactMap(\.self) }

    /// An observation of a client that passes, with what it leaves out here; none if it leaves nothing out.
    func withLoss(_ observation: Observation?) -> [Observation] {
        guard var told = observation, let loss = lossOnDualStackAlone else { return [] }
        told.statement = "\(told.statement) \(loss)"
        return [told]
    }

    /// Tells of a host that the client reaches in each run here, and to which it sends less than on dual-stack, in each run the same; `nil` if
    /// there is none. Other rules tell of a host that it does not reach. A client that lists the machine's addresses may send them, and has
    /// fewer of them here.
    private var lossOnDualStackAlone: Statement? {
        guard let control, control.end.isSuccess, !choosesHosts, !run.listsAddresses else { return nil }
        let here = runsHere.map { $0.requestsByHost(datagrams: true) }
        return control.requestsByHost(datagrams: true).sorted { "\($0.key.name)" < "\($1.key.name)" }.lazy.compactMap {
            host, there -> Statement? in
            let own = here.compactMap { $0[host] }
            guard own.count == here.count, Set(own.map(\.octets)).count == 1, let octets = own.first?.octets,
                octets < there.octets
            else { return nil }
            return
                "\(host.name) (\(text: host.transport.rawValue) \(Int(host.port))) got \(octets: there.octets) on dual-stack, \(octets: octets) here."
        }.first
    }
}
