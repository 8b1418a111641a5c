// SPDX-License-Identifier: Apache-2.0
import CallTracing
import DNSWire
import Evidence
import LinuxNet
import Wire

/// Turns the tracer's records into evidence with lines.
enum TracedRun {
    /// Maximum time for the kernel to end killed processes.
    private static let endingLimit = Duration.seconds(5)

    /// Adds the tracer's records to the evidence of its run, when all of the client has ended.
    /// - Parameters:
    ///   - tracer: `nil` if it could not follow the client.
    ///   - obstacle: why the client does not stop at its calls, or could not be followed.
    ///   - library: the preloaded one, if there was one.
    ///   - client: finds the client's first program among those of the run; `nil` if it is the first of them.
    static func complete(
        _ evidence: inout RunEvidence, by tracer: Tracer?, obstacle: Errno?, preloading library: InterpreterFrames?,
        client: (([TracedProgram]) -> Int?)?
    ) {
        guard let tracer, var trace = tracer.finish(until: MonotonicClock.now() + endingLimit) else {
            evidence.calls = untraced(because: obstacle.map { "\($0)" } ?? "its processes could not be ended in time")
            return
        }
        if let obstacle {
            evidence.calls = untraced(because: "\(obstacle)")
            return
        }
        if let client {
            let all = Set(trace.evidence.programs.map { Int($0.process) })
            trace.keep(from: client(trace.evidence.programs))
            let others = all.subtracting(trace.evidence.programs.map { Int($0.process) })
            evidence.lookups.removeAll { others.contains($0.process) }
        }
        evidence.calls = trace.evidence
        evidence.calls?.proxies = GivenInput.proxies(in: trace.environments)
        if let library { trace.snapshots = library.finding(trace.snapshots) }
        addLines(to: &evidence, trace)
        for index in evidence.lookups.indices where evidence.lookups[index].site.file == nil {
            guard let frame = evidence.calls?.announcedFrame(of: evidence.lookups[index]) else { continue }
            evidence.lookups[index].site.stand(at: frame)
        }
        let known = evidence.addressesByName
        evidence.calls = evidence.calls?.withAnnouncedFrames { known[$0] ?? [] }
        evidence.calls?.joinCalls()
    }

    private static func untraced(because reason: String) -> CallEvidence {
        var evidence = CallEvidence()
        evidence.gaps = ["The client's system calls could not be traced: \(reason)."]
        return evidence
    }

    /// Adds lines to the calls' stacks, and to the sites at which the preloaded library was called.
    private static func addLines(to evidence: inout RunEvidence, _ trace: Trace) {
        // The dynamic loader names an executable by the path with which it was called.
        let folder = evidence.calls?.programs.first?.workingDirectory ?? ""
        // If an interpreter reported its own line, the module is the interpreter's.
        let lookups = evidence.lookups.indices.filter {
            evidence.lookups[$0].site.file == nil && evidence.lookups[$0].site.moduleSite(in: folder) != nil
        }
        let lines = LinesProcess.resolve(
            trace.snapshots, sites: lookups.compactMap { evidence.lookups[$0].site.moduleSite(in: folder) })
        for (call, stack) in trace.stacks.enumerated() {
            guard let stack, lines.stacks.indices.contains(stack) else { continue }
            evidence.calls?.calls[call].frames = lines.stacks[stack]
        }
        for (end, stack) in trace.endStacks.enumerated() {
            guard let stack, lines.stacks.indices.contains(stack) else { continue }
            evidence.calls?.ends[end].frames = lines.stacks[stack]
        }
        for (lookup, frames) in zip(lookups, lines.sites) {
            if let frame = frames.own { evidence.lookups[lookup].site.stand(at: frame, through: frames.through) }
        }
        if let problem = lines.problem {
            evidence.calls?.gaps.append("Not all lines are known: \(problem).")
        }
    }
}

extension RunEvidence {
    /// Each name's addresses, as the DNS and getaddrinfo returned them.
    fileprivate var addressesByName: [String: Set<IPAddress>] {
        var known: [String: Set<IPAddress>] = [:]
        for question in seen.questions {
            known["\(question.question.name)", default: []].formUnion(question.addresses)
        }
        for lookup in lookups {
            if let node = lookup.node { known[node, default: []].formUnion(lookup.answers) }
        }
        return known
    }
}

extension CallSite {
    /// - Parameter folder: the client's working directory.
    fileprivate func moduleSite(in folder: String) -> ModuleSite? {
        guard let module, let offset, offset >= 0 else { return nil }
        return ModuleSite(module: module.hasPrefix("/") ? module : "\(folder)/\(module)", offset: UInt64(offset))
    }
}
