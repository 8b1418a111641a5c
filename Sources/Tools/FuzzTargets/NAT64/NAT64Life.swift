// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Translation
import Wire

/// A NAT64 and its state as seen from outside.
struct NAT64Life: ~Copyable {
    var nat: NAT64
    private let witness = Witness()
    private let check: OutputCheck
    private var now = Instant.zero
    private var buffer = PacketBuffer()
    /// The most recent output packets, of either side.
    private var outputs: [(side: Side, packet: FuzzedPacket)] = []
    private static let maximumOutputs = 12
    /// The identification of the next datagram in fragments, and the range of all of them.
    private var nextIdentification = ownIdentifications.lowerBound
    private static let ownIdentifications: ClosedRange<UInt32> = 0x4000...0x4fff

    // Our own counts, for comparison with the NAT64's counters.
    private var received: UInt64 = 0
    private var emitted: [Side: UInt64] = [.ipv6: 0, .ipv4: 0]
    private var drops = DropCounters()
    private var hasSuperPackets = false

    init(_ nat: consuming NAT64) {
        check = OutputCheck(nat.configuration.translation)
        self.nat = nat
    }

    // MARK: - Steps

    mutating func step(_ choices: inout Choices) throws(BrokenInvariant) {
        if choices.oneIn(6) {
            let milliseconds = choices.pick([1, 0, 300, 2_000, 6_000, 60_000, 120_000, 240_000, 301_000, 7_440_000])
            try pass(.milliseconds(milliseconds))
        } else if choices.oneIn(10) {
            let (side, fragments) = choices.fragments(for: nat.configuration, nextIdentification)
            nextIdentification += 1
            try receive(fragments, from: side)
        } else {
            let (side, packet) = choices.packet(for: nat.configuration, outputs)
            try receive(packet, from: side)
        }
        try compareCounters()
    }

    private mutating func pass(_ duration: Duration) throws(BrokenInvariant) {
        now = now + duration
        nat.expire(at: now, output: witness)
        try require(nat.nextDeadline > now, "a deadline that has passed")
        _ = try settle(after: nil)
    }

    @discardableResult
    private mutating func receive(
        _ packet: FuzzedPacket, from side: Side
    ) throws(BrokenInvariant) -> [PacketVerdict] {
        let stored = nat.counters.stored
        received += 1
        if packet.offload.segmentation != .none { hasSuperPackets = true }
        buffer.replace(with: packet.octets.span)
        buffer.offload = packet.offload
        nat.receive(&buffer, from: side, at: now, output: witness)
        let hasEnded = !witness.emitted.isEmpty || !witness.drops.isEmpty || nat.counters.stored > stored
        try require(hasEnded, "a packet vanished: \(packet.octets)")
        return try settle(after: packet)
    }

    /// Sends a whole datagram in fragments: the output is the same datagram, unless something is dropped.
    private mutating func receive(_ fragments: [FuzzedPacket], from side: Side) throws(BrokenInvariant) {
        let dropped = drops.total
        var seen: [PacketVerdict] = []
        for fragment in fragments { seen += try receive(fragment, from: side) }
        let pieces = seen.filter { $0.fragment.map { Self.ownIdentifications.contains($0.identification) } ?? false }
            .sorted { $0.fragment?.offset ?? 0 < $1.fragment?.offset ?? 0 }
        guard drops.total == dropped, !pieces.isEmpty else { return }
        try check.checkPieces(pieces)
        try require(pieces.last?.fragment?.moreFollow == false, "the last fragment stays behind")
    }

    /// Checks all output since the last call, caused by a packet or by time.
    private mutating func settle(after input: FuzzedPacket?) throws(BrokenInvariant) -> [PacketVerdict] {
        let (packets, reasons) = witness.take()
        let origin = input?.verdict
        // The datagram of a fragment is not known here.
        let isRight = origin?.hasRightChecksum(offload: input?.offload ?? .none) ?? true
        var verdicts: [PacketVerdict] = []
        for (side, packet) in packets {
            let verdict = try check.check(packet, isRight: isRight)
            try checkAddresses(verdict, to: side)
            verdicts.append(verdict)
            emitted[side, default: 0] += 1
        }
        if let origin, isRight {
            try check.checkPieces(verdicts)
            if verdicts.count == 1, reasons.isEmpty { try check.checkPayload(origin, verdicts[0]) }
        }
        outputs = (outputs + packets).suffix(Self.maximumOutputs)
        for reason in reasons { drops.count(reason) }
        return verdicts
    }

    /// Packets to the IPv4 side come from the pool, those to the IPv6 side from a Pref64 and do not go back to one; except for our own
    /// errors.
    private func checkAddresses(_ verdict: PacketVerdict, to side: Side) throws(BrokenInvariant) {
        try require(verdict.source.count == (side == .ipv6 ? 16 : 4), "a packet to the wrong side")
        if Scene.isOurs(verdict.source) { return }
        if side == .ipv4 {
            try require(
                nat.configuration.pool.contains { $0.array == verdict.source },
                "from outside the pool: \(verdict.source)")
            try require(
                !nat.configuration.pool.contains { $0.array == verdict.destination }, "a hairpin goes out: \(verdict)")
        } else {
            func isInside(_ address: [UInt8]) -> Bool {
                let bits = address.reduce(0) { $0 << 8 | UInt128($1) }
                return nat.configuration.prefixes.contains { $0.contains(IPv6Address(bits: bits)) }
            }
            try require(isInside(verdict.source), "from outside the Pref64: \(verdict.source)")
            try require(!isInside(verdict.destination), "back into the Pref64: \(verdict.destination)")
        }
    }

    private func compareCounters() throws(BrokenInvariant) {
        let counters = nat.counters
        try require(counters.receivedFromIPv6 + counters.receivedFromIPv4 == received, "a packet is not counted")
        try require(
            counters.emittedToIPv6 == emitted[.ipv6] && counters.emittedToIPv4 == emitted[.ipv4],
            "what is emitted is not what is counted")
        for reason in DropReason.allCases {
            try require(counters.drops[reason] == drops[reason], "\(reason) is not counted as it is told")
        }
    }

    // MARK: - Tables

    func checkTables() throws(BrokenInvariant) {
        let limits = nat.configuration.limits
        var problem: String?
        var mapped: [TransportProtocol: Set<TransportAddress4>] = [:]
        var hosts: [TransportProtocol: Set<TransportAddress6>] = [:]
        var bindingSessions = 0
        nat.forEachBinding { binding in
            if !mapped[binding.transport, default: []].insert(binding.mapped).inserted {
                problem = "a port of two hosts"
            }
            if !hosts[binding.transport, default: []].insert(binding.host).inserted { problem = "a host of two ports" }
            if !binding.isStatic && binding.sessions == 0 { problem = "a binding without sessions" }
            bindingSessions += binding.sessions
        }
        var sessions = 0
        var storedSYNs = 0
        var perHost: [IPv6Address: Int] = [:]
        nat.forEachSession { session in
            if session.expires <= now { problem = "a session that is over" }
            guard let host = session.host else {
                storedSYNs += 1
                return
            }
            sessions += 1
            perHost[host.address, default: 0] += 1
            if hosts[session.transport]?.contains(host) != true { problem = "a session without a binding" }
        }
        if let problem { throw BrokenInvariant(problem) }
        try require(sessions == bindingSessions, "bindings count \(bindingSessions) of \(sessions) sessions")
        try require(storedSYNs <= limits.storedSYNs, "\(storedSYNs) SYNs are stored")
        if let quota = limits.sessionsPerHost {
            try require(perHost.values.allSatisfy { $0 <= quota }, "a host has more sessions than its quota")
        }
        for transport in TransportProtocol.allCases {
            let counts = nat.tableCounts(of: transport)
            try require(
                counts.sessions <= limits.sessions && counts.bindings <= limits.bindings, "a table beyond its limit")
        }
    }

    // MARK: - The end

    /// Everything that is not configured expires, and every packet has ended in exactly one way.
    mutating func end() throws(BrokenInvariant) {
        try pass(.seconds(100_000))
        try require(nat.nextDeadline == .distantFuture, "something lives for ever")
        let counters = nat.counters
        try require(counters.sessionsOpened == counters.sessionsClosed, "a session never closes")
        var sessions = 0
        nat.forEachSession { _ in sessions += 1 }
        try require(sessions == 0, "a session lives for ever")

        // No packet waits any more: a packet that was not dropped went out as one or, with MTUs and super-packets, as several. Reassembly
        // makes one of several.
        let translated = counters.emittedToIPv6 + counters.emittedToIPv4 - counters.errorsSent - counters.probesSent
        let ended = drops.total + translated
        try require(drops.total <= received, "\(drops.total) drops of \(received) packets")
        if nat.configuration.zeroChecksumFragments == .reassemble { return }
        try require(ended >= received, "\(received) packets, and \(ended) ends")
        if check.isRoomy && !hasSuperPackets {
            try require(ended == received, "\(received) packets, and \(ended) ends")
        }
    }
}
