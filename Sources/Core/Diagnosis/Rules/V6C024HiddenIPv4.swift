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
        fittingAdvice: { examination, _ in
            let attempts = examination.hiddenAttempts
            let areReceived = attempts.allSatisfy {
                if case .payload = $0.call.origin?.place { true } else { false }
            }
            let language = attempts.first.flatMap {
                Language(of: $0.call.site(in: examination.traced), in: examination)
            }
            if !attempts.isEmpty, areReceived { return Rule.receivedAddress.advice(for: language) }
            if !attempts.isEmpty, attempts.allSatisfy({ $0.untried != nil }) {
                let bound = examination.adviceOnBoundSocket
                return bound.map { "\(Rule.takesIPv4Address.advice) \($0)" }
                    ?? Rule.takesIPv4Address.advice(for: language)
            }
            let isOfDNS = !attempts.isEmpty && attempts.allSatisfy { $0.name == nil && $0.call.address?.port == 53 }
            return isOfDNS
                ? "Ask the resolver of the network (/etc/resolv.conf, getaddrinfo). To learn its own address, or whether it is online, it "
                    + "has to connect the datagram socket to the host that is to be reached, in the family that getaddrinfo gives."
                : nil
        },
        furtherAdvice: { examination in
            if examination.run.calls == nil {
                return "--trace always shows which program tries that, and where to."
            }
            return examination.hiddenAttempts.contains { $0.instead == nil || $0.isForItself || $0.isWritten }
                || !examination.refusedLiterals.isEmpty
                ? "Look at what it wanted there: telemetry, an update or a licence may be missing without a word." : nil
        },
        networks: [.nat64], clients: .passing, supersedes: ["V6C-086", "V6C-087"]
    ) { examination in
        guard let calls = examination.run.calls, calls.calls.contains(where: { $0.isUnreachable && $0.ipv4 != nil })
        else {
            // A trace does not see every attempt (io_uring_setup(2)).
            return examination.countedAttempts + examination.packetsOnLink + examination.refusedLiterals
        }
        let reached = ReachedHosts(examination.run.seen, where: \.mayHaveArrived)
        let told = examination.toldAttempts.map { attempt in
            let (statement, site) = examination.told(attempt.call)
            let addresses = attempt.name.map(examination.run.seen.addresses) ?? [.ipv4(attempt.address)]
            let rest: Statement =
                switch (attempt.name, attempt.instead) {
                case (let name?, let instead?) where attempt.isForItself:
                    "; it went to \(name) at \(instead.address) for something else: on dual-stack it asks for more there"
                case (let name?, _?) where attempt.isWritten:
                    "; it also went to \(name), which has this address\(examination.source(of: attempt.call))"
                case (let name?, let instead?): "; then it reached \(name) at \(instead.address)\(attempt.delay)"
                case (let name?, nil) where reached.contains(addresses): "; it reached \(name) in another way"
                case (let name?, nil):
                    ": it did not reach \(name)" + (attempt.untried.map { ", and did not try its \($0)" } ?? "")
                case (nil, let instead?): "; then it reached that host at \(instead.address)\(attempt.delay)"
                case (nil, nil) where reached.contains(addresses):
                    "; it reached that host in another way\(examination.source(of: attempt.call))"
                default: "; it did not get there\(examination.source(of: attempt.call))"
                }
            return Observation("\(statement)\(rest).", at: site, about: .address(.ipv4(attempt.address)))
        }.uniqueBySubject
        // The stacks of a call that is made very often are not all known.
        let withLine = Set(told.filter { $0.site?.line != nil }.map(\.target))
        return examination.packetsOnLink + examination.refusedLiterals
            + told.filter { $0.site?.line != nil || !withLine.contains($0.target) }
    }
}

/// A failed IPv4 attempt of a traced run.
private struct HiddenAttempt {
    let call: TracedCall
    let address: IPv4Address
    /// The name that had the address.
    let name: DomainName?
    /// The connection that the same program then made to the same host, at another address.
    let instead: (address: IPAddress, after: Duration)?
    /// Whether that connection was for something else, so that this attempt's purpose is lost.
    var isForItself = false

    /// An IPv6 address of the name that the client did not try.
    var untried: IPAddress?

    /// Whether the client has the address from a text of its own, and not from the look-up of the name.
    var isWritten: Bool { call.origin?.isWritten == true }

    /// `, 3.0 s later`; empty below 500 ms.
    var delay: Statement {
        guard let instead, instead.after >= noticeable else { return "" }
        return ", \(instead.after) later"
    }
}

extension Examination {
    fileprivate var hiddenAttempts: [HiddenAttempt] {
        let questions = run.seen.questions
        let attempts = run.calls?.attempts ?? []
        // The IPv4 half of a question for the own address of either family loses nothing.
        let askedByIPv6 = portsOfOwnAddress
        // V6C-085 tells of these.
        let missed = missedHosts.map(\.name)
        let isAnswered = isAnsweredByOwnResolver
        let tried = Set(attempts.compactMap { $0.address?.ip })
        return attempts.compactMap { call in
            guard call.isUnreachable, let address = call.ipv4, !IPAddress.ipv4(address).isOfTheMachine,
                // V6C-040 tells of searches.
                !address.isMulticast, !address.isLimitedBroadcast,
                // The answer that gave the address may be among those that are lost.
                run.seen.lost.queries == 0 || call.origin?.isCertain == true,
                !(call.isMereConnect && call.address?.port.map(askedByIPv6.contains) == true),
                !(isAnswered && call.address?.port == 53)
            else { return nil }
            let name = questions.first { $0.addresses.contains(.ipv4(address)) }?.name
            if let name, missed.contains(name) { return nil }
            let known = name.map(run.seen.addresses) ?? []
            let alike = run.seen.flows.filter { $0.port == call.address?.port && $0.isLike(call) }
            let reached = Set(alike.filter(\.mayHaveArrived).map(\.remote))
            let same = reached.intersection(
                name == nil ? alike.filter { $0.ipv4Destination == address }.map(\.remote) : known)
            let next = attempts.first { call.isAtSamePort(before: $0) && $0.address?.ip.map(same.contains) == true }
            let instead = next.map { (address: $0.address!.ip!, after: $0.time - call.time) }
            if let next, isElsewhere(call, next), isServedLess(known, at: call.address?.port) {
                return HiddenAttempt(call: call, address: address, name: name, instead: instead, isForItself: true)
            }
            // A further program that goes there in place of this one, as in `curl -4 URL || curl -6 URL`.
            if name != nil, next == nil, control != nil, !same.isEmpty, !isServedLess(known, at: call.address?.port) {
                return nil
            }
            if isSecondOfBoth(call, address, known, alike, hasReached: !same.isEmpty) { return nil }
            // A fallback to another address of the answer loses nothing.
            if let instead, instead.after < noticeable, name != nil, call.origin?.isWritten != true { return nil }
            var attempt = HiddenAttempt(call: call, address: address, name: name, instead: instead)
            if !attempt.isWritten, tried.isDisjoint(with: known.filter { !$0.isIPv4 }) {
                attempt.untried = known.first { !$0.isIPv4 }
            }
            return attempt
        }
    }

    /// Whether an IPv4 attempt failed, and the client went nowhere at all: it may take that for being offline.
    var goesNowhereAfterAttempt: Bool {
        run.seen.flows.isEmpty
            && (run.calls?.attempts ?? []).contains { call in
                call.isUnreachable && call.ipv4.map { !IPAddress.ipv4($0).isOfTheMachine } == true
            }
    }

    /// Whether two attempts are made at different lines of the client.
    private func isElsewhere(_ call: TracedCall, _ other: TracedCall) -> Bool {
        let (here, there) = (call.site(in: traced), other.site(in: traced))
        return here.line != nil && there.line != nil && !here.isSamePlace(as: there)
    }

    /// Whether the client asks a host for less here than on dual-stack: in fewer connections, or in one that it keeps. If several attempts
    /// have one purpose, one alone is used.
    private func isServedLess(_ host: [IPAddress], at port: UInt16?) -> Bool {
        func used(_ run: RunEvidence) -> Requests {
            Requests(run.flows(to: host).filter { $0.port == port && $0.bytesSent > 0 })
        }
        return control.map { used(run).isLess(than: used($0)) } ?? false
    }

    /// Whether an IPv4 attempt failed, and another line or program of the client went to the same host: perhaps for something else, which a control
    /// run shows.
    var hasSeparateAttempts: Bool {
        let attempts = run.calls?.attempts ?? []
        return attempts.contains { call in
            guard call.isUnreachable, let address = call.ipv4,
                let host = run.seen.questions.first(where: { $0.addresses.contains(.ipv4(address)) })?.name
            else { return false }
            let known = run.seen.addresses(of: host)
            return attempts.contains {
                (call.isAtPort(before: $0) || $0.isAtPort(before: call)) && $0.error == nil
                    && $0.address?.ip.map(known.contains) == true
                    && (call.program != $0.program || isElsewhere(call, $0))
            }
        }
    }

    /// Whether an attempt is the second of both families, where the first is late or refused by the host itself: it loses nothing.
    /// - Parameters:
    ///   - known: all addresses of the host's name.
    ///   - alike: the flows at the same port.
    private func isSecondOfBoth(
        _ call: TracedCall, _ address: IPv4Address, _ known: [IPAddress], _ alike: [Flow], hasReached: Bool
    ) -> Bool {
        let before = (run.calls?.attempts ?? []).filter { $0.ipv4 == nil && $0.isAtSamePort(before: call) }
        let tried = before.compactMap { $0.address?.ip }
        if Set(known).isDisjoint(with: tried) { return false }
        guard
            hasReached
                || alike.contains(where: {
                    $0.ipv4Destination == address || $0.refused > 0 && tried.contains($0.remote)
                })
        else { return false }
        guard let first = before.last(where: { $0.error == nil }) else { return true }
        // One that begins when the first connection is closed, or long after it is there, is for something else.
        if !call.isOfDatagrams, first.descriptor >= 0, first.descriptor == call.descriptor { return false }
        let wait = call.time - (first.time + first.duration)
        if case .succeeded = first.outcome, wait > longestRace || wait >= .zero && isElsewhere(call, first) {
            return false
        }
        // If there were several connections, only the first answer is known.
        return !alike.contains { flow in
            guard flow.remote == first.address?.ip, flow.refused == 0, let answer = flow.times?.answer else {
                return false
            }
            return answer >= first.time - longestRace && call.time - answer > longestRace
        }
    }

    /// The ports at which the client asked for the machine's own IPv6 address: a datagram socket is connected, and nothing sent. The resolver
    /// on the link is asked by such sockets, too.
    var portsOfOwnAddress: Set<UInt16> {
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
    fileprivate var toldAttempts: [HiddenAttempt] {
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

    /// Literals that getaddrinfo refused, at which the client then made no attempt, and to which it went on dual-stack.
    fileprivate var refusedLiterals: [Observation] {
        lookups.filter(\.isRefusedLiteral).compactMap { lookup in
            guard let address = lookup.literal, let control,
                let flow = control.seen.flows.first(where: { $0.remote == .ipv4(address) && $0.isReached }),
                connections(to: address, flow, in: run) < connections(to: address, flow, in: control)
            else { return nil }
            return Observation(
                "\(lookup.site) called getaddrinfo(\"\(address)\") with AI_ADDRCONFIG, which gives no IPv4 address here; on dual-stack it "
                    + "went to \(address) (\(service: flow)).", at: lookup.site, about: .address(.ipv4(address)))
        }.uniqueBySubject
    }

    /// The connections to a host at a flow's port, or 1 if datagrams were sent there.
    private func connections(to address: IPv4Address, _ flow: Flow, in run: RunEvidence) -> Int {
        run.seen.flows.filter { $0.host == .ipv4(address) && $0.port == flow.port && $0.transport == flow.transport }
            .reduce(0) { $0 + (flow.transport == .tcp ? $1.accepted : 1) }
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
    /// Whether this is an attempt at the port of a later one, of the same program.
    fileprivate func isAtSamePort(before later: TracedCall) -> Bool {
        program == later.program && isAtPort(before: later)
    }

    /// The same, of any program.
    fileprivate func isAtPort(before later: TracedCall) -> Bool {
        time <= later.time && address?.port == later.address?.port && isOfDatagrams == later.isOfDatagrams
    }

    /// Whether a datagram socket is connected, which sends nothing.
    fileprivate var isMereConnect: Bool { name == .connect && isOfDatagrams }
}

extension AddressOrigin {
    /// Whether the address is certainly not from the DNS.
    fileprivate var isWritten: Bool {
        if case .answer = place { false } else { isCertain }
    }
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

/// A user notices such a delay. Happy Eyeballs waits for 250 ms as a rule (RFC 8305 §5).
private let noticeable = Duration.milliseconds(500)
