// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension CallEvidence {
    /// Whether the client went to no host or name server after the call. A program that looks for IPv4 and gives up does nothing further.
    func isLast(_ call: TracedCall) -> Bool {
        !calls.contains { $0.time > call.time && $0.leavesTheMachine }
    }
}

extension Examination {
    /// Whether the calls of the run, or of the one that confirmed it, are known.
    var isTraced: Bool { run.calls != nil || again?.calls != nil }

    /// Whether the client gave up after its last call: it sent nothing here, or a call with the same subject led to an attempt on
    /// dual-stack.
    func gaveUp(after call: TracedCall) -> Bool { !run.hasSentSomething || goesOn(after: call.subject) }

    /// A stricter `gaveUp` for a call that most programs make for any purpose: on dual-stack the call must have led to an attempt, or have
    /// been all that the client wanted.
    func goesOnAlone(after subject: TracedCall.Subject) -> Bool {
        if goesOn(after: subject) { return true }
        guard !run.hasSentSomething, let control else { return false }
        return control.hasSentSomething || control.end.isSuccess
    }

    /// Whether a call with the same subject led to an attempt on dual-stack.
    func goesOn(after subject: TracedCall.Subject) -> Bool {
        let calls = tracedControl.own
        guard let first = calls.first(where: { $0.subject == subject }) else { return false }
        return calls.contains { $0.time > first.time && $0.leavesTheMachine }
    }

    /// Observations of calls, one for each place in the client: that of its first call.
    /// - Parameter statement: returns `nil` for a call that does not meet the rule.
    func observations(
        of calls: [TracedCall], _ statement: (TracedCall, CallSite) -> Statement?
    ) -> [Observation] {
        var seen: Set<CallSite> = []
        return calls.compactMap { call in
            let site = call.site(in: traced)
            guard !seen.contains(site), let statement = statement(call, site) else { return nil }
            seen.insert(site)
            return Observation(
                traced.caller(of: call) + statement, at: site, about: call.ipv4.map { .address(.ipv4($0)) })
        }
    }
}
