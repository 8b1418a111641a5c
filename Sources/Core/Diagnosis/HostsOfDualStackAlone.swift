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
        let reachedNames = Set(reached.compactMap { hereNames[$0] })
        let reachedAddresses = Set(reached.map(\.host))
        let addresses = (run.seen.questions + control.seen.questions).reduce(into: [DomainName: Set<IPAddress>]()) {
            $0[$1.name, default: []].formUnion($1.addresses + $1.first.synthesisedFrom.map(IPAddress.ipv4))
        }
        var missed: [HostOfDualStackAlone] = []
        var places: [Observation.Host: Int] = [:]
        for (host, name, flow) in control.reachedHosts {
            if let place = places[host] {
                missed[place].sent += flow.bytesSent
                missed[place].received += flow.bytesReceived
                continue
            }
            let own = (name.flatMap { addresses[$0] } ?? []).union([flow.host])
            if name.map(reachedNames.contains) == true || !reachedAddresses.isDisjoint(with: own) { continue }
            places[host] = missed.count
            missed.append(
                HostOfDualStackAlone(
                    name: name, flow: flow, wish: wish(for: name, at: own, flowsHere, hereNames), sent: flow.bytesSent,
                    received: flow.bytesReceived))
        }
        return missed
    }

    private func wish(
        for name: DomainName?, at addresses: Set<IPAddress>, _ flows: [Flow], _ names: KnownNames
    ) -> HostOfDualStackAlone.Wish? {
        let tried = flows.filter { flow in
            addresses.contains(flow.host) || name != nil && names[flow] == name
        }
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
