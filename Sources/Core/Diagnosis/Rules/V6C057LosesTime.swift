// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The client waits for something that does not come without IPv4, then does what it could have done at once.
    package static let losesTime = Rule(
        id: "V6C-057", title: "works, but much slower than on dual-stack", severity: .warning,
        advice:
            "Begin with what the DNS gives first, and with the next address 250 ms later (RFC 8305 §5), instead of waiting until an "
            + "attempt has failed for good or is tried again.",
        networks: [.nat64], clients: .passing
    ) { examination in
        guard let control = examination.control, control.end.isSuccess else { return [] }
        var fastest = examination
        for run in [examination.again, examination.later].compactMap(\.self)
        where run.end.isSuccess && run.duration < fastest.run.duration {
            fastest.run = run
        }
        guard fastest.run.isMuchSlower(than: control) else { return [] }
        // A trace shows the call after which it waited.
        let waiting = examination.run.calls == nil ? fastest : examination
        let (wait, site) = waiting.longestWait(isOfSameRun: waiting.run.duration == fastest.run.duration)
        return [
            Observation(
                "It took \(fastest.run.duration) here, and \(control.duration) on dual-stack\(wait).", at: site)
        ]
    }
}

/// A noticeable delay.
private let leastLoss = Duration.seconds(1)

extension RunEvidence {
    /// One run is no proof: any run is slow if the machine stalls for a moment. So such a client runs once more (`RunPlan`).
    func isMuchSlower(than control: RunEvidence) -> Bool {
        // A control run in which nothing was sent is no measure.
        (control.hasSentSomething || !hasSentSomething) && duration - control.duration >= leastLoss
            && duration >= control.duration * 2
    }
}

extension Examination {
    /// `: 4.9 s of it after it asked for AAAA of shop.test`, and the place of what it was after.
    /// - Parameter isOfSameRun: whether the duration that is told is this run's. Another run may have waited for longer.
    fileprivate func longestWait(isOfSameRun: Bool) -> (statement: Statement, site: CallSite?) {
        let names = run.names
        var events: [(time: Duration, what: Statement, site: CallSite?)] = [
            (.zero, "before the first thing that was seen of it", nil)
        ]
        for query in run.seen.queries.queries {
            guard let question = query.question else { continue }
            events.append((query.time - .zero, "after it asked for \(question.type) of \(question.name)", nil))
        }
        for flow in run.seen.flows {
            guard let times = flow.times else { continue }
            let unanswered: Statement = flow.isAnswered ? "" : ", which did not answer"
            events.append((times.first, "after it went to \(names.farEnd(flow))\(unanswered)", nil))
            events.append((times.last, "after the last packet of \(names.farEnd(flow))", nil))
        }
        for call in run.calls?.attempts ?? [] where call.error != nil {
            let (statement, site) = told(call, in: run.calls)
            events.append((call.time, "after \(statement)", site))
        }
        events.sort { $0.time < $1.time }
        let ends = events.dropFirst().map { $0.time } + [run.duration]
        let waits = zip(events, ends).map { (length: $1 - $0.time, event: $0) }
        guard let longest = waits.max(by: { $0.length < $1.length }), longest.length >= .milliseconds(500) else {
            return ("", nil)
        }
        let part: Statement = isOfSameRun ? "\(longest.length)" : "most"
        return (": \(part) of it \(longest.event.what)", longest.event.site)
    }
}
