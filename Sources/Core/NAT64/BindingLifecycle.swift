// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// Creation and removal of BIB entries and sessions, with all their counters.

extension NAT64 {
    /// The BIB entry of an IPv6 transport address, made if there is none (RFC 6146 §3.5.1, §3.5.2.2, §3.5.3).
    ///
    /// `wanted` is an IPv4 transport address that a stored SYN awaits; the entry gets it if it is free and belongs to the address that the
    /// host is paired with.
    mutating func binding(
        of host: TransportAddress6, in transport: TransportProtocol, wanted: TransportAddress4? = nil
    ) throws(Refusal) -> UInt32 {
        if let number = self[transport].bindings.find(host: host) {
            if self[transport].bindings[number].life == .held { self[transport].bindings.resume(number) }
            return number
        }
        releaseHeldBindings(of: transport)
        if self[transport].bindings.isFull {
            throw Refusal(.bindingTableFull, answer: .administrativelyProhibited)
        }
        let known = hosts.find(host.address)
        if let quota = configuration.limits.bindingsPerHost, known.map({ Int(hosts[$0].bindings) }) ?? 0 >= quota {
            throw Refusal(.hostQuotaExceeded, answer: .administrativelyProhibited)
        }
        let (poolAddress, port) = try allocate(for: host, known: known, in: transport, wanted: wanted)
        guard let hostNumber = known ?? hosts.insert(host.address, poolAddress: poolAddress) else {
            throw Refusal(.bindingTableFull, answer: .administrativelyProhibited)
        }
        let mapped = TransportAddress4(pool[Int(poolAddress)], port)
        return insertBinding(host, mapped, hostNumber, poolAddress, life: .dynamic, in: transport)
    }

    /// The caller ensures that the table has room and that neither transport address is in use.
    mutating func insertBinding(
        _ host: TransportAddress6, _ mapped: TransportAddress4, _ hostNumber: UInt32, _ poolAddress: UInt16,
        life: Binding.Life, in transport: TransportProtocol
    ) -> UInt32 {
        let inserted = self[transport].bindings.insert(host, mapped: mapped, hostNumber: hostNumber, life: life)
        guard let inserted else { preconditionFailure("a BIB entry is made without room for it") }
        self[transport].ports[Int(poolAddress)].take(mapped.port)
        hosts[hostNumber].bindings += 1
        return inserted
    }

    /// RFC 6146 §3.5.1.1: the same IPv4 address for all mappings of a host; a port of the same range and parity.
    private mutating func allocate(
        for host: TransportAddress6, known: UInt32?, in transport: TransportProtocol, wanted: TransportAddress4?
    ) throws(Refusal) -> (poolAddress: UInt16, port: UInt16) {
        let count = pool.count
        let paired = known.map { hosts[$0].poolAddress }
        if let wanted, let poolAddress = pool.place(of: wanted.address), paired ?? poolAddress == poolAddress,
            !self[transport].ports[Int(poolAddress)].isTaken(wanted.port)
        {
            return (poolAddress, wanted.port)
        }
        let first = paired.map(Int.init) ?? random.below(count)
        let tries = paired != nil && configuration.pooling == .paired ? 1 : count
        for step in 0..<tries {
            let candidate = (first + step) % count
            let port = self[transport].ports[candidate].choose(
                for: host.port, keepingParity: configuration.preservesPortParity, using: &random)
            if let port { return (UInt16(truncatingIfNeeded: candidate), port) }
        }
        throw Refusal(.portsExhausted, answer: .addressUnreachable)
    }

    // MARK: - Sessions

    /// Throws unless the tables have room for another session of this host.
    func checkRoomForSession(of host: IPv6Address, in transport: TransportProtocol) throws(Refusal) {
        if self[transport].sessions.isFull {
            throw Refusal(.sessionTableFull, answer: .administrativelyProhibited)
        }
        if let quota = configuration.limits.sessionsPerHost {
            let sessions = hosts.find(host).map { Int(hosts[$0].sessions) } ?? 0
            if sessions >= quota { throw Refusal(.hostQuotaExceeded, answer: .administrativelyProhibited) }
        }
    }

    /// The caller has checked that there is room.
    mutating func openSession(
        of binding: UInt32, with remote: TransportAddress4, prefix: UInt8, state: TCPState, lifetime: Interval,
        in transport: TransportProtocol
    ) -> UInt32 {
        let entry = self[transport].bindings[binding]
        let session = Session(
            host: entry.host, remote: remote.address, mapped: entry.mapped, hostPort: entry.hostPort,
            remotePort: remote.port, mappedPort: entry.mappedPort, state: state, prefix: prefix, binding: binding)
        let deadline = now + lifetime
        guard let number = self[transport].sessions.insert(session, deadline: deadline, at: now) else {
            preconditionFailure("a session is made without room for it")
        }
        self[transport].bindings[binding].sessions += 1
        hosts[entry.hostNumber].sessions += 1
        if configuration.filtering == .addressDependent {
            self[transport].peers.add(binding, remote.address)
        }
        counters.sessionsOpened &+= 1
        return number
    }

    /// Removes an expired session, and its BIB entry if it was the entry's last one (RFC 6146 §3.1).
    mutating func closeExpiredSession(_ number: UInt32, in transport: TransportProtocol) {
        let session = self[transport].sessions[number]
        self[transport].sessions.removeExpired(number)
        counters.sessionsClosed &+= 1
        if session.binding == noEntry { return }

        if configuration.filtering == .addressDependent {
            self[transport].peers.remove(session.binding, session.remote)
        }
        self[transport].bindings[session.binding].sessions -= 1
        let binding = self[transport].bindings[session.binding]
        hosts[binding.hostNumber].sessions -= 1
        if binding.sessions > 0 || binding.life == .permanent { return }
        // RFC 6888 REQ-8: with TCP's state machine, or address-dependent filtering, immediate reuse is safe.
        let holdOff = lifetimes.portHoldOff
        if transport == .tcp || configuration.filtering == .addressDependent || holdOff.nanoseconds <= 0 {
            removeBinding(session.binding, in: transport)
        } else {
            self[transport].bindings.hold(session.binding, until: now + holdOff)
        }
    }

    private mutating func removeBinding(_ number: UInt32, in transport: TransportProtocol) {
        let binding = self[transport].bindings[number]
        self[transport].bindings.remove(number)
        if let poolAddress = pool.place(of: binding.mapped) {
            self[transport].ports[Int(poolAddress)].release(binding.mappedPort)
        }
        hosts.releaseBinding(binding.hostNumber)
    }

    mutating func releaseHeldBindings(of transport: TransportProtocol) {
        while let number = self[transport].bindings.nextReleasable(at: now) {
            self[transport].bindings.resume(number)
            removeBinding(number, in: transport)
        }
    }
}
