// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Translation
import Wire

extension Rule {
    /// The client passes, but a part of it failed: one whose loss goes unnoticed in this run, or a first attempt that a second made up for.
    /// A traced run shows each attempt; for an untraced one, the kernel's counter shows that there was one.
    package static let hiddenIPv4 = Rule(
        id: "V6C-024", title: "works, but an IPv4 connection attempt failed", severity: .warning,
        advice: "Name hosts instead of IPv4 addresses, and try every address that getaddrinfo returns, in its order.",
        furtherAdvice: { examination in
            if examination.run.calls == nil {
                return "--trace always shows which program tries that, and where to."
            }
            return examination.hiddenAttempts.contains { $0.instead == nil }
                ? "Look what it wanted there: telemetry, an update or a licence may be missing without a word." : nil
        },
        networks: [.nat64], clients: .passing
    ) { examination in
        guard let calls = examination.run.calls, calls.calls.contains(where: { $0.isUnreachable && $0.ipv4 != nil })
        else {
            // A trace does not see every attempt (io_uring_setup(2)).
            return examination.countedAttempts + examination.packetsOnLink
        }
        let reached = ReachedHosts(examination.run.seen, where: \.mayHaveArrived)
        return examination.packetsOnLink
            + examination.toldAttempts.map { call, address, name, instead in
                let (statement, site) = examination.told(call)
                let rest: Statement =
                    switch (name, instead) {
                    case (let name?, let instead?):
                        "; then it reached \(name) at \(instead)\(loss(from: call, to: instead, in: calls))"
                    case (let name?, nil) where reached.contains(examination.run.seen.addresses(of: name)):
                        "; it reached \(name) in another way"
                    case (let name?, nil): ": it did not reach \(name)"
                    case (nil, let instead?): "; then it reached that host at \(instead)"
                    default: "; it did not get there\(examination.source(of: call))"
                    }
                return Observation("\(statement)\(rest).", at: site, about: .address(.ipv4(address)))
            }.uniqueBySubject
    }
}

extension Examination {
    /// Failed IPv4 attempts of a traced run, each with the name that had the address, and another address of the name that was reached.
    fileprivate var hiddenAttempts: [(call: TracedCall, address: IPv4Address, name: DomainName?, instead: IPAddress?)] {
        let questions = run.seen.questions
        let attempts = run.calls?.attempts ?? []
        // The IPv4 half of a question for the own address of either family loses nothing.
        let askedByIPv6 = portsOfOwnAddress
        // V6C-085 tells of these.
        let missed = missedHosts.map(\.name)
        return attempts.compactMap { call in
            guard call.isUnreachable, let address = call.ipv4, !IPAddress.ipv4(address).isOfTheMachine,
                // V6C-040 tells of searches.
                !address.isMulticast, !address.isLimitedBroadcast,
                // The answer that gave the address may be among those that are lost.
                run.seen.lost.queries == 0 || call.origin?.isCertain == true,
                !(call.isMereConnect && call.address?.port.map(askedByIPv6.contains) == true)
            else { return nil }
            let name = questions.first { $0.addresses.contains(.ipv4(address)) }?.name
            if let name, missed.contains(name) { return nil }
            let known = name.map(run.seen.addresses) ?? []
            let alike = run.seen.flows.filter { $0.port == call.address?.port && $0.isLike(call) }
            let arrived = alike.filter(\.mayHaveArrived)
            let instead =
                name == nil
                ? arrived.first { $0.ipv4Destination == address }?.remote
                : known.first { address in arrived.contains { $0.remote == address } }
            // The second of both families, where the first is late or refused by the host itself, loses nothing.
            let before = attempts.filter { $0.isAtSamePort(before: call) }
            let tried = before.compactMap { $0.address?.ip }
            let connected = before.last { $0.error == nil }
            let isSameHost = alike.contains { $0.ipv4Destination == address }
            let isRefused = alike.contains { $0.refused > 0 && tried.contains($0.remote) }
            // One that begins long after the answer to the first is for something else. If there were several connections, only the first
            // answer is known.
            let isLate = alike.contains { flow in
                guard let connected, flow.remote == connected.address?.ip, flow.refused == 0,
                    let answer = flow.times?.answer
                else { return false }
                return answer >= connected.time - longestRace && call.time - answer > longestRace
            }
            let isSecond =
                (instead != nil || isSameHost || isRefused) && !isLate && !Set(known).isDisjoint(with: tried)
            return isSecond ? nil : (call, address, name, instead)
        }
    }

    /// The ports at which the client asked for the machine's own IPv6 address: a datagram socket is connected, and nothing sent. The resolver
    /// on the link is asked by such sockets, too.
    private var portsOfOwnAddress: Set<UInt16> {
        let (link, reached) = (run.seen.link, Set(run.seen.flows.map(\.remote)))
        let asking = (run.calls?.attempts ?? []).filter { call in
            guard call.isMereConnect, call.error == nil, case .ipv6(let address) = call.address?.ip else {
                return false
            }
            return !link.contains(address) && !reached.contains(.ipv6(address))
        }
        return Set(asking.compactMap(\.address?.port))
    }

    /// Those that V6C-057 does not tell of: a fallback that took long.
    fileprivate var toldAttempts: [(call: TracedCall, address: IPv4Address, name: DomainName?, instead: IPAddress?)] {
        let isSlow = !Rule.losesTime.observe(self).isEmpty
        return hiddenAttempts.filter { !isSlow || $0.instead == nil }
    }

    /// IPv4 packets that the client sent on its link although it has no IPv4 route: its sockets are bound to the interface, so the kernel
    /// does not refuse them. Groups and broadcasts may be one half of a search by both families.
    fileprivate var packetsOnLink: [Observation] {
        let reached = ReachedHosts(run.seen) { flow in
            if case .ipv6 = flow.remote { flow.mayHaveArrived } else { false }
        }
        return run.seen.flows.compactMap { flow in
            guard case .ipv4(let address) = flow.remote, !flow.isInbound, !flow.isAnswered, !address.isMulticast,
                address.bits != .max, !reached.contains([flow.remote])
            else { return nil }
            return Observation(
                "It sent \(octets: flow.bytesSent) to \(address) (\(service: flow)) on a link without IPv4.",
                about: .address(.ipv4(address)))
        }.unique
    }

    /// Failed IPv4 attempts of an untraced run. Empty if a missed host explains them (V6C-085, V6C-087), or a slow fallback (V6C-057).
    fileprivate var countedAttempts: [Observation] {
        guard run.seen.lost.queries == 0, let count = run.failedIPv4Attempts, count > 0, missedHosts.isEmpty else {
            return []
        }
        let failed: Statement = count == 1 ? "An IPv4 attempt failed" : "\(count) IPv4 attempts failed"
        let hosts = run.seen.questions.filter(\.leadsToHost)
        let reached = ReachedHosts(run.seen, where: \.mayHaveArrived)
        let missed = hosts.filter { !reached.contains($0.addresses) }.map(\.name).unique
        if missed.isEmpty, !Rule.losesTime.observe(self).isEmpty { return [] }
        if !Rule.reachedOnDualStackAlone.observe(self).isEmpty { return [] }
        let rest: Statement =
            if let name = missed.first {
                missed.dropFirst().reduce("; it did not reach \(name)") { "\($0), \($1)" }
            } else {
                hosts.isEmpty ? "" : "; it reached every host that it looked up"
            }
        return [Observation("\(failed): no route\(rest).")]
    }
}

extension TracedCall {
    /// Whether this is an attempt by IPv6 at the port of a later one, of the same program.
    fileprivate func isAtSamePort(before later: TracedCall) -> Bool {
        ipv4 == nil && program == later.program && time <= later.time && address?.port == later.address?.port
            && isOfDatagrams == later.isOfDatagrams
    }

    /// Whether a datagram socket is connected, which sends nothing.
    fileprivate var isMereConnect: Bool { name == .connect && isOfDatagrams }
}

extension Flow {
    /// Whether it has the transport of a call's socket.
    fileprivate func isLike(_ call: TracedCall) -> Bool {
        transport == .icmp || (transport == .udp) == call.isOfDatagrams
    }

    /// A datagram counts without an answer.
    fileprivate var mayHaveArrived: Bool { isAnswered || transport == .udp }
}

/// A second connection may begin at the same time as the answer to the first comes.
private let longestRace = Duration.milliseconds(50)

/// `, 3.0 s later`; empty below 300 ms.
private func loss(from call: TracedCall, to instead: IPAddress, in calls: CallEvidence) -> Statement {
    let next = calls.attempts.first { $0.time > call.time && $0.program == call.program && $0.address?.ip == instead }
    guard let next, next.time - call.time >= .milliseconds(300) else { return "" }
    return ", \(next.time - call.time) later"
}
