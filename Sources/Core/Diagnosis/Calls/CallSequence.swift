import Evidence
import Wire

extension CallEvidence {
    /// Whether the client went to no host any more after the call, and to no name server: who looks for IPv4 and gives up does
    /// nothing further.
    func isLast(_ call: TracedCall) -> Bool {
        !calls.contains { later in
            later.time > call.time && later.isAttempt && later.address?.ip.map { !$0.isOfTheMachine } == true
        }
    }
}

extension Examination {
    /// Whether the calls of the run, or of the one that confirmed it, are known.
    var isTraced: Bool { run.calls != nil || again?.calls != nil }

    /// What was observed of calls, told by the first of each place in the client.
    func observations(
        of calls: [TracedCall], _ statement: (TracedCall, CallSite) -> Statement
    ) -> [Observation] {
        var seen: Set<CallSite> = []
        return calls.compactMap { call in
            let site = call.site(in: traced)
            guard seen.insert(site).inserted else { return nil }
            return Observation(
                traced.caller(of: call) + statement(call, site), at: site, about: call.ipv4.map { .address(.ipv4($0)) })
        }
    }
}
