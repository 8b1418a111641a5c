// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// With a network its addresses disappear, and with them every connection from one and every socket bound to one. The system does not
    /// notify a program that only waits or sends: the program has to give up the connection or the socket by itself.
    package static let keepsWhatIsGone = Rule(
        id: "V6C-078", title: "keeps using a connection of the previous network",
        advice:
            "Give a connection up when the network changes, or when no answer comes in time; then look the host up again, and connect to "
            + "what the present network says.",
        needs: [.flows], supersedes: ["V6C-001", "V6C-003", "V6C-005", "V6C-016"]
    ) { examination in
        let names = (here: examination.run.names, there: examination.control?.names ?? KnownNames([]))
        return examination.run.losses.flatMap { loss in
            examination.run.seen.flows.compactMap { examination.observation(of: $0, names, after: loss) }
        }
    }
}

extension Examination {
    /// An observation that the client kept using a flow of a lost network; `nil` if it left the flow.
    /// - Parameter known: the names of this run, and of the control run.
    fileprivate func observation(
        of flow: Flow, _ known: (here: KnownNames, there: KnownNames), after loss: Loss
    ) -> Observation? {
        let isConnection = flow.stood(at: loss.gone)
        guard isConnection || flow.exchangedDatagrams(before: loss.gone) else { return nil }
        let names = known.here
        let isLeft =
            run.seen.flows.contains { $0.isUsed(after: loss.next) && names.isOfSameHost($0, flow, names) }
            // A client that looked the host up again did not keep its old address: it fails for another reason.
            || names[flow].map { run.asks(for: $0, after: loss.next) } ?? false
        if isLeft { return nil }
        if isConnection {
            return Observation(
                names.subject(flow),
                "The connection to \(names.farEnd(flow)) stood when \(text: loss.network.rawValue) went; on "
                    + "\(text: loss.nextNetwork.rawValue), which came then, it made none.")
        }
        guard let control,
            control.seen.flows.contains(where: {
                $0.isUsed(after: loss.next) && names.isOfSameHost(flow, $0, known.there)
            })
        else { return nil }
        let (called, site) = attempt(of: flow).map { told($0) } ?? ("", nil)
        return Observation(
            names.subject(flow),
            "It exchanged datagrams with \(names.farEnd(flow)) when \(text: loss.network.rawValue) went, and on dual-stack it went on with that; on "
                + "\(text: loss.nextNetwork.rawValue), which came then, nothing of it came through\(site == nil ? "" : ": " as Statement)\(called).",
            at: site)
    }
}

/// A network that the client lost, and the next one on which it had time.
private struct Loss {
    var network: Network
    var gone: Duration
    var nextNetwork: Network
    var next: Duration
}

/// A client that ends sooner on the next network has not kept using anything there.
private let patience = Duration.milliseconds(500)

extension RunEvidence {
    fileprivate func asks(for name: DomainName, after time: Duration) -> Bool {
        seen.queries.queries.contains { $0.question?.name == name && $0.time >= Instant.zero + time }
    }

    fileprivate var losses: [Loss] {
        timeline.indices.dropLast().compactMap { index in
            guard let network = timeline[index].network,
                let next = timeline[(index + 1)...].first(where: { $0.network != nil }), let nextNetwork = next.network,
                nextNetwork != network, duration - next.time >= patience
            else { return nil }
            return Loss(network: network, gone: timeline[index + 1].time, nextNetwork: nextNetwork, next: next.time)
        }
    }
}

extension Flow {
    /// Whether a connection was open at that time: neither side had closed it.
    fileprivate func stood(at time: Duration) -> Bool {
        guard transport == .tcp, accepted > 0, let times else { return false }
        return times.first < time && times.last <= time && times.end == nil
    }

    /// Whether datagrams had come back by then. Unlike a connection, the flow has no end that would show whether the client has more to
    /// send.
    fileprivate func exchangedDatagrams(before time: Duration) -> Bool {
        transport == .udp && !isInbound && port != 53 && bytesReceived > 0 && times.map { $0.first < time } ?? false
    }

    fileprivate func isUsed(after time: Duration) -> Bool { times.map { $0.last >= time } ?? false }
}

extension KnownNames {
    /// - Parameter names: those of the run that `other` belongs to.
    fileprivate func isOfSameHost(_ one: Flow, _ other: Flow, _ names: KnownNames) -> Bool {
        if one.port != other.port || one.transport != other.transport { return false }
        if let name = self[one], name == names[other] { return true }
        return one.remote == other.remote || one.ipv4Destination.map { $0 == other.ipv4Destination } ?? false
    }
}
