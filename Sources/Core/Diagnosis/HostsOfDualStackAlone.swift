// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Topology
import Translation
import Wire

/// A host that the client reached in the control run and not on the network in question.
struct HostOfDualStackAlone {
    /// The evidence that the client wanted the host here.
    enum Wish {
        /// It asked for the host's addresses, and got none of IPv6.
        case asked(RecordType)
        /// It asked for the host's addresses, and got this one.
        case given(IPAddress)
        /// It sent packets without success.
        case tried(sent: UInt64)
        /// It called getaddrinfo for the host's name, which asked nothing.
        case lookedUp
        /// It gave the address as text to getaddrinfo or a similar function.
        case read
    }

    let name: DomainName?
    /// Its first flow of the control run.
    let flow: Flow
    /// `nil` if nothing shows it: a mirror or a peer, which another run may choose differently.
    let wish: Wish?
    /// Octets of payload in the control run, of all flows.
    fileprivate(set) var sent: UInt64
    fileprivate(set) var received: UInt64
}

extension Examination {
    /// The hosts that a client which passes on both networks reached on dual-stack alone, in the order of the control run.
    ///
    /// A host is identified by its name or by its address with synthesis undone: a host that the client reached here by another name counts
    /// as reached.
    var hostsOfDualStackAlone: [HostOfDualStackAlone] {
        guard let control, run.end.isSuccess, control.end.isSuccess, !run.isHindered, !control.isHindered else {
            return []
        }
        return hostsReached(inAlone: control)
    }

    /// Whether the client chooses hosts anew in each run: it reached others in the second run, or here one that it did not reach on
    /// dual-stack.
    var choosesHosts: Bool {
        let here = Set(run.reachedHosts.map(\.host))
        if let again, Set(again.reachedHosts.map(\.host)) != here { return true }
        if let control { return !here.isSubset(of: control.reachedHosts.map(\.host)) }
        return false
    }

    /// The same for a client with any exit status.
    func hostsReached(inAlone control: RunEvidence) -> [HostOfDualStackAlone] {
        let hereNames = run.names
        let flowsHere = run.seen.flows.filter { !$0.isInbound }
        let reached = flowsHere.filter(\.isReached)
        let addresses = (run.seen.questions + control.seen.questions).reduce(into: [DomainName: Set<IPAddress>]()) {
            $0[$1.name, default: []].formUnion($1.addresses + $1.first.synthesisedFrom.map(IPAddress.ipv4))
        }
        let there = control.reachedHosts
        var missed: [HostOfDualStackAlone] = []
        var places: [Way: Int] = [:]
        for (host, name, flow) in there {
            let own = (name.flatMap { addresses[$0] } ?? []).union([flow.host])
            let isWanted = run.wantsInVain(flow.port, of: own)
            let way = Way(host: host, kind: flow.kind, port: isWanted ? flow.port : nil)
            if let place = places[way] {
                missed[place].sent += flow.bytesSent
                missed[place].received += flow.bytesReceived
                continue
            }
            func isOfHost(_ flow: Flow) -> Bool {
                name != nil && hereNames[flow] == name || own.contains(flow.host)
            }
            let kindsHere = Set(reached.filter(isOfHost).map(\.kind))
            let kindsThere = Set(there.filter { $0.host == host }.map(\.flow.kind))
            // A client that uses a host in two ways, and here in one of them, misses the other. One that has another way here misses nothing.
            if !isWanted, kindsHere.contains(flow.kind) || !kindsHere.isEmpty && kindsHere.isDisjoint(with: kindsThere)
            {
                continue
            }
            places[way] = missed.count
            let tried = flowsHere.filter {
                isOfHost($0) && (isWanted ? $0.port == flow.port : kindsHere.isEmpty || $0.kind == flow.kind)
            }
            missed.append(
                HostOfDualStackAlone(
                    name: name, flow: flow, wish: wish(for: name, at: own, tried), sent: flow.bytesSent,
                    received: flow.bytesReceived))
        }
        return missed
    }

    private func wish(
        for name: DomainName?, at addresses: Set<IPAddress>, _ tried: [Flow]
    ) -> HostOfDualStackAlone.Wish? {
        if !tried.isEmpty { return .tried(sent: tried.reduce(0) { $0 + $1.bytesSent }) }
        let questions = run.seen.questions.filter { $0.isForAddress && $0.name == name }
        if let address = questions.flatMap(\.addresses).first(where: { !$0.isIPv4 }) { return .given(address) }
        if let question = questions.first { return .asked(question.question.type) }
        if run.lookups.contains(where: { lookup in name != nil && lookup.node.flatMap { try? DomainName($0) } == name })
        {
            return .lookedUp
        }
        let literals = run.lookups.compactMap { $0.literal.map(IPAddress.ipv4) }
        return literals.contains(where: addresses.contains) ? .read : nil
    }
}

/// A host and how it is reached: a host that a client reaches by TCP may miss its datagrams.
private struct Way: Hashable {
    var host: Observation.Host
    var kind: Flow.Transport
    /// Set if the client wanted that port.
    var port: UInt16?
}

extension Lookup {
    /// The port that it names; `nil` for a service that has a name, and for none.
    var port: UInt16? { service.flatMap { UInt16($0) }.flatMap { $0 == 0 ? nil : $0 } }
}

extension RunEvidence {
    /// The flows to a host, by any of its addresses.
    func flows(to host: [IPAddress]) -> [Flow] {
        seen.flows.filter { flow in
            !flow.isInbound
                && (host.contains(flow.remote) || flow.ipv4Destination.map { host.contains(.ipv4($0)) } == true)
        }
    }

    /// Whether the client looked the host up for that port, and did not go there.
    fileprivate func wantsInVain(_ port: UInt16, of host: Set<IPAddress>) -> Bool {
        lookups.contains { $0.port == port && !host.isDisjoint(with: $0.answers) }
            && !flows(to: Array(host)).contains { $0.port == port }
    }
}

extension Flow {
    /// The transport, but for QUIC, which is another way to a service of TCP.
    fileprivate var kind: Transport { transport == .udp && port == 443 ? .tcp : transport }
}

extension RunEvidence {
    /// The hosts that the client reached, by flow, the network's own parts excepted.
    fileprivate var reachedHosts: [(host: Observation.Host, name: DomainName?, flow: Flow)] {
        let (names, link) = (names, seen.link)
        return seen.flows.filter { !$0.isInbound && $0.isReached && !$0.isOfTheNetwork(link) }.map { flow in
            let name = names[flow]
            return (name.map(Observation.Host.name) ?? .address(flow.host), name, flow)
        }
    }
}

extension NetworkEvidence {
    /// The client's own link.
    var link: IPv6Prefix { clientPrefix.flatMap { IPv6Prefix($0) } ?? NetworkPlan.clientLink }
}

extension Flow {
    /// Whether it goes to a part of the network itself: its name servers, its router or its groups.
    /// - Parameter link: the client's own link.
    fileprivate func isOfTheNetwork(_ link: IPv6Prefix) -> Bool {
        if [53, 853, 5353].contains(port) || remote.isOfTheMachine { return true }
        return switch host {
        case .ipv4(let address):
            address.isMulticast || address.isLimitedBroadcast || address.isLinkLocal
                || NetworkPlan.ipv4Link.contains(address) || NetworkPlan.furtherIPv4Links.contains(address)
                || NetworkPlan.clatLink.contains(address)
        case .ipv6(let address):
            address.isMulticast || address.isLinkLocal || link.contains(address)
        }
    }
}

extension HostOfDualStackAlone {
    /// `metrics.test, 198.51.100.20 (udp 8125): 670 MB sent on dual-stack`
    var statement: Statement {
        let place: Statement = (name.map { "\($0), " } ?? "") + "\(flow.remote) (\(service: flow))"
        let amount: Statement =
            switch (sent, received) {
            case (0, 0): "reached"
            case (0, _): "\(octets: received) received"
            case (_, 0): "\(octets: sent) sent"
            default: "\(octets: sent) sent and \(octets: received) received"
            }
        return "\(place): \(amount) on dual-stack"
    }

    var host: Observation.Host { name.map(Observation.Host.name) ?? .address(flow.host) }

    /// The subject that other rules use for the name.
    var subject: Observation.Subject {
        name.map(Observation.Subject.name) ?? .farEnd(host, flow.transport, port: flow.port)
    }
}
