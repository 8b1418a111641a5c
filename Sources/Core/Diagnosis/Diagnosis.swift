// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// The result of applying all rules to the evidence of a check.
struct Diagnosis {
    /// The rules that were met, sorted by severity, then by likelihood of the cause.
    var findings: [Finding] = []
    /// The observations on both networks.
    var onBothNetworks: [Observation] = []

    /// Applies every rule by itself, then drops findings that others make superfluous.
    ///
    /// A client that fails without IPv4 usually fails before its first packet. So the control run shows what it would have done: which
    /// addresses it wanted, and whether the DNS had given them. A failure there as well is no problem of IPv6.
    init(_ examination: Examination, rules: [Rule] = Catalogue.all) {
        var met: [(rule: Rule, causes: [Observation], onBothNetworks: [Observation])] = []
        let endsAlike = examination.endsAsOnDualStack
        for rule in rules where rule.applies(to: examination) {
            var observations = examination.observations(by: rule)
            var there: Set<Observation.Subject> = []
            if rule.isCompared, let control = examination.control {
                there = Set(rule.observe(Examination(run: control)).map(\.subject))
            }
            if endsAlike, rule.severity != .note {
                observations.removeAll { !there.contains($0.subject) && examination.isHarmless($0) }
            }
            func isShared(_ observation: Observation) -> Bool {
                // A note names no cause.
                there.contains(observation.subject)
                    || rule.severity != .note && examination.failsAlikeOnDualStack(observation)
            }
            met.append((rule, observations.filter { !isShared($0) }, observations.filter(isShared)))
        }
        // A note explains no failure of a part.
        let isExplained = met.contains {
            !$0.rule.isLastResort && !$0.causes.isEmpty && ($0.rule.severity != .note || !examination.run.end.isSuccess)
        }
        for (rule, causes, shared) in met where !(rule.isLastResort && isExplained) {
            let better = met.filter { $0.rule.supersedes.contains(rule.id) }.flatMap(\.causes)
            func isNeeded(_ observation: Observation) -> Bool { !better.contains { $0.supersedes(observation) } }
            let left = causes.filter(isNeeded)
            if !left.isEmpty { findings.append(Finding(rule, examination.placed(left, by: rule), in: examination)) }
            if examination.failsOnDualStackToo { onBothNetworks += shared.filter(isNeeded) }
        }
        onBothNetworks = onBothNetworks.unique
        findings = Severity.allCases.flatMap { severity in
            let alike = findings.filter { $0.severity == severity }
            // The run ended by a cause that is in it, and dual-stack lacks.
            let ranks = alike.map { finding in
                finding.isOfControl ? 2 : finding.observations.allSatisfy(examination.failsOnDualStackInVain) ? 1 : 0
            }
            return (0...2).flatMap { rank in alike.indices.filter { ranks[$0] == rank }.map { alike[$0] } }
        }
    }
}

extension Examination {
    /// Whether the call of an observation failed on dual-stack as well: in the same place, for the same host, with the same error.
    /// Unreachable addresses do not count: without a route on dual-stack the world lacks the host, and a real network has it.
    fileprivate func failsAlikeOnDualStack(_ observation: Observation) -> Bool {
        guard failsOnDualStackToo, let control, let site = observation.site, site.line != nil else { return false }
        let (here, there) = (traced, tracedControl)
        let failed = here.calls.filter { $0.error != nil && !$0.isUnreachable && $0.site(in: here) == site }
        return failed.contains { call in
            there.calls.contains { other in
                other.name == call.name && other.error == call.error && other.site(in: there).isSamePlace(as: site)
                    && (other.address?.ip == call.address?.ip || run.isSameHost(call, other, in: control))
            }
        }
    }
}

extension Examination {
    /// Whether an observation is about a host of IPv4 that served the client on dual-stack. It did not end a client that ends there as here.
    fileprivate func isHarmless(_ observation: Observation) -> Bool {
        guard let control else { return false }
        let host: [IPAddress]
        switch observation.target {
        case .name(let name), .farEnd(.name(let name), _, _): host = control.seen.addresses(of: name)
        case .address(let address), .farEnd(.address(let address), _, _): host = [address]
        case .drop, nil: return false
        }
        return !run.flows(to: host).contains(where: \.isAnswered)
            && control.flows(to: host).contains { $0.isAnswered && $0.remote.isIPv4 }
    }

    /// Whether the call of an observation failed on dual-stack as well, where the client works without it.
    fileprivate func failsOnDualStackInVain(_ observation: Observation) -> Bool {
        guard control?.end.isSuccess == true, let site = observation.site, site.line != nil else { return false }
        let (here, there) = (traced, tracedControl)
        let failed = here.calls.filter { $0.error != nil && $0.site(in: here) == site }
        return !failed.isEmpty
            && failed.allSatisfy { call in
                there.calls.contains { other in
                    other.name == call.name && other.error != nil && other.address?.ip == call.address?.ip
                        && other.site(in: there).isSamePlace(as: site)
                }
            }
    }
}

extension RunEvidence {
    /// Whether two calls, each in its own run, went to addresses of the same name.
    fileprivate func isSameHost(_ call: TracedCall, _ other: TracedCall, in control: RunEvidence) -> Bool {
        guard let here = call.address?.ip, let there = other.address?.ip else { return false }
        let names = seen.questions.filter { $0.addresses.contains(here) }.map(\.name)
        return control.seen.questions.contains { $0.addresses.contains(there) && names.contains($0.name) }
    }
}

extension Finding {
    fileprivate var isOfControl: Bool { observations.allSatisfy(\.isOfControl) }
}

extension Observation {
    /// Whether it makes another rule's observation superfluous: both have the same subject, or this one is about the whole client.
    fileprivate func supersedes(_ other: Observation) -> Bool {
        if case .itself = subject { return true }
        return subject == other.subject || target != nil && target == other.target
    }
}

extension [Observation] {
    /// The first observation of each subject, whatever process or thread it was made of.
    var uniqueBySubject: [Observation] {
        var seen: Set<Observation.Subject> = []
        return filter { seen.insert($0.subject).inserted }
    }
}

extension Array where Element: Hashable {
    /// The elements in the order of their first appearance.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
