import Evidence

extension Rule {
    /// With a network its addresses go, and with them every connection from one. The system does not tell a program that only waits or
    /// sends: it has to give the connection up by itself.
    package static let keepsWhatIsGone = Rule(
        id: "V6C-078", title: "keeps using what is gone",
        advice:
            "Give a connection up when the network changes, or when no answer comes in time; then look the host up again, and connect to "
            + "what the present network says.",
        needs: [.flows], supersedes: ["V6C-001", "V6C-003", "V6C-005", "V6C-016"]
    ) { examination in
        let run = examination.run
        let names = run.names
        return run.losses.flatMap { loss in
            run.seen.flows.filter { flow in
                flow.stood(at: loss.gone)
                    && !run.seen.flows.contains { $0.isUsed(after: loss.next) && names.isOfSameHost($0, flow) }
            }.map { flow in
                Observation(
                    names.subject(flow),
                    "The connection to \(names.farEnd(flow)) stood when \(text: loss.network.rawValue) went; on "
                        + "\(text: loss.nextNetwork.rawValue), which came then, it made none.")
            }
        }
    }
}

/// A network that the client lost, and the next one, on which it had time.
private struct Loss {
    var network: Network
    var gone: Duration
    var nextNetwork: Network
    var next: Duration
}

/// Who ends sooner on the next network has not kept using anything there.
private let patience = Duration.milliseconds(500)

extension RunEvidence {
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
    /// Whether it had a connection then that neither side had closed.
    fileprivate func stood(at time: Duration) -> Bool {
        guard transport == .tcp, accepted > 0, let times else { return false }
        return times.first < time && times.last <= time && times.end == nil
    }

    fileprivate func isUsed(after time: Duration) -> Bool { times.map { $0.last >= time } ?? false }
}

extension KnownNames {
    fileprivate func isOfSameHost(_ one: Flow, _ other: Flow) -> Bool {
        if one.port != other.port || one.transport != other.transport { return false }
        if let name = self[one], name == self[other] { return true }
        return one.remote == other.remote || one.ipv4Destination.map { $0 == other.ipv4Destination } ?? false
    }
}
