// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Translation
package import Wire

extension RunEvidence {
    package init(
        network: Network, end: ExitOutcome, duration: Duration, questions: [RepeatedQuery] = [], flows: [Flow] = [],
        drops: [Drop] = [], counters: [NamedCount] = [], profile: GetaddrinfoProfile = .linux, lookups: [Lookup] = [],
        lost: Int = 0
    ) {
        var seen = NetworkEvidence()
        seen.questions = questions
        seen.flows = flows
        seen.drops = drops
        seen.counters = counters
        seen.lost.flows = lost
        self.init(network: network, end: end, duration: duration, seen: seen)
        self.profile = profile
        self.lookups = lookups
    }
}

extension Flow {
    package init(
        _ transport: Transport, _ remote: IPAddress, _ port: UInt16, _ route: Route, attempts: Int = 0,
        accepted: Int = 0, refused: Int = 0, unreachable: Unreachable? = nil, isInbound: Bool = false,
        bytesSent: UInt64 = 0, bytesReceived: UInt64 = 0
    ) {
        self.init(transport: transport, remote: remote, port: port, route: route)
        self.attempts = attempts
        self.accepted = accepted
        self.refused = refused
        self.unreachable = unreachable
        self.isInbound = isInbound
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}

extension Lookup {
    package init(
        call: LookupFunction, node: String?, service: String? = nil, hints: LookupHints? = nil, result: Int = 0,
        answers: [IPAddress] = [], outcome: SynthesisOutcome? = nil, program: String? = nil, module: String? = nil,
        offset: Int? = nil, process: Int = 0, count: Int = 1
    ) {
        self.init(call, node)
        self.service = service
        self.hints = hints
        self.result = result
        self.answers = answers
        self.outcome = outcome
        self.site = CallSite(program: program, module: module, offset: offset)
        self.process = process
        self.count = count
    }
}
