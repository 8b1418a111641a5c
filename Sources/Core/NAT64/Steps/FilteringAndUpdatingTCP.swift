// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.5.2, TCP Session Handling. `TCPState.after` handles a connection that has a session; this file handles those without one
// (CLOSED), and the two cases in which a stored SYN matters (V4 INIT).

/// The entry by which a TCP segment is translated.
enum TCPVerdict: Equatable {
    case session(UInt32)
    /// There is no session, and none is made.
    case binding(UInt32)
}

extension NAT64 {
    // MARK: - From the IPv6 side

    mutating func tcpVerdict(
        _ segment: TCPSegment, from host: TransportAddress6, to remote: TransportAddress4, prefix: UInt8,
        _ output: any PacketOutput
    ) throws(Refusal) -> TCPVerdict {
        if let number = self[.tcp].sessions.find(from: host, to: remote) {
            try checkPrefix(of: number, is: prefix, in: .tcp)
            update(number, after: segment, from: .ipv6)
            return .session(number)
        }
        if segment != .syn { return try closedButMapped(self[.tcp].bindings.find(host: host)) }

        // CLOSED, V6 SYN: a BIB entry if there is none, and a session in V6 INIT with a lifetime of at least TCP_TRANS.
        try checkRoomForSession(of: host.address, in: .tcp)
        let awaiting = self[.tcp].bindings.find(host: host) == nil ? storedSYNs.awaitedDestination(of: remote) : nil
        let binding = try binding(of: host, in: .tcp, wanted: awaiting)
        if let number = self[.tcp].sessions.find(from: remote, to: self[.tcp].bindings[binding].mappedTransport) {
            // V4 INIT without an IPv6 host: the host is now known, and both sides have sent a SYN.
            supersedeStoredSYN(of: number, output)
            let lifetime = lifetimes.tcpEstablished
            return .session(
                openSession(
                    of: binding, with: remote, prefix: prefix, state: .established, lifetime: lifetime, in: .tcp))
        }
        let lifetime = lifetimes.tcpTransitory
        return .session(
            openSession(of: binding, with: remote, prefix: prefix, state: .v6Init, lifetime: lifetime, in: .tcp))
    }

    // MARK: - From the IPv4 side

    /// `nil` for a SYN that has to be stored.
    mutating func tcpVerdict(
        _ segment: TCPSegment, from remote: TransportAddress4, to mapped: TransportAddress4
    ) throws(Refusal) -> TCPVerdict? {
        if let number = self[.tcp].sessions.find(from: remote, to: mapped) {
            // The SYN that opened this session is stored: no segment passes until the host has sent one as well.
            if self[.tcp].sessions[number].storedSYN != Session.noStoredSYN { throw Refusal(.awaitingIPv6SYN) }
            update(number, after: segment, from: .ipv4)
            return .session(number)
        }
        let binding = self[.tcp].bindings.find(mapped: mapped)
        if segment != .syn {
            if let binding { try checkAddressDependentFilter(of: binding, for: remote.address, in: .tcp) }
            return try closedButMapped(binding)
        }

        // CLOSED, V4 SYN.
        if configuration.refusesIPv4InitiatedTCP { throw Refusal(.externalTCPRefused) }
        try checkPrefix(mayCarry: remote.address, under: 0)
        guard let binding else { return nil }
        if configuration.filtering == .addressDependent && !self[.tcp].peers.contains(binding, remote.address) {
            return nil
        }
        try checkRoomForSession(of: self[.tcp].bindings[binding].host, in: .tcp)
        let lifetime = lifetimes.tcpTransitory
        return .session(
            openSession(of: binding, with: remote, prefix: 0, state: .v4Init, lifetime: lifetime, in: .tcp))
    }

    // MARK: - CLOSED

    /// "For any other packet": forwarded if there is a BIB entry, silently discarded if not; the state stays CLOSED.
    private func closedButMapped(_ binding: UInt32?) throws(Refusal) -> TCPVerdict {
        guard let binding else { throw Refusal(.tcpWithoutSession) }
        return .binding(binding)
    }

    // MARK: - The other states

    @inline(always)
    private mutating func update(_ number: UInt32, after segment: TCPSegment, from side: Side) {
        let before = self[.tcp].sessions[number].state
        let transition = before.after(segment, from: side)
        self[.tcp].sessions[number].state = transition.state
        switch transition.lifetime {
        case .unchanged:
            break
        // This deadline is earlier than the current one, which a refresh cannot set: only if the lifetimes are not the RFC's.
        case .established
        where before != transition.state && lifetimes.tcpEstablished.nanoseconds < lifetimes.tcpTransitory.nanoseconds:
            self[.tcp].sessions.reschedule(number, deadline: now + lifetimes.tcpEstablished, at: now)
        case .established:
            self[.tcp].sessions.refresh(number, deadline: now + lifetimes.tcpEstablished)
        case .transitory:
            self[.tcp].sessions.reschedule(number, deadline: now + lifetimes.tcpTransitory, at: now)
        }
    }
}
