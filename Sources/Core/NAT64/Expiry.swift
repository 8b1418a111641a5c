// SPDX-License-Identifier: Apache-2.0
public import Wire

// What happens when the time of a session, a stored SYN or a fragmented datagram is over.

extension NAT64 {
    /// The earliest time at which something may expire; `.distantFuture` when nothing will. Calling `expire` then may find that
    /// it was too early, since refreshed sessions are found out only when their old time comes.
    public var nextDeadline: Instant {
        min(
            min(self[.udp].sessions.nextDeadline, self[.tcp].sessions.nextDeadline),
            min(self[.icmp].sessions.nextDeadline, fragments.nextDeadline))
    }

    /// The same on a packet's way, where nothing is borrowed (see `NAT64`).
    @inline(always)
    private mutating func earliestDeadline() -> Instant {
        min(
            min(self[.udp].sessions.nextDeadline, self[.tcp].sessions.nextDeadline),
            min(self[.icmp].sessions.nextDeadline, fragments.nextDeadline))
    }

    /// Lets everything expire whose time is over at `time`.
    public mutating func expire(at time: Instant, output: any PacketOutput) {
        if earliestDeadline() <= time { expireAll(until: time, output) }
        now = max(now, time)
    }

    /// One event after the other, each at its own time: what it starts, a probed session's last four minutes for instance,
    /// may end within the same call.
    private mutating func expireAll(until time: Instant, _ output: any PacketOutput) {
        while true {
            let deadline = earliestDeadline()
            // At the end of time nothing is due any more.
            if deadline > time || deadline == .distantFuture { return }
            now = max(now, deadline)
            if fragments.nextDeadline == deadline {
                if let number = fragments.nextExpired(at: now) { expireDatagram(number, output) }
            } else if self[.udp].sessions.nextDeadline == deadline {
                if let number = self[.udp].sessions.nextExpired(at: now) { closeExpiredSession(number, in: .udp) }
            } else if self[.icmp].sessions.nextDeadline == deadline {
                if let number = self[.icmp].sessions.nextExpired(at: now) { closeExpiredSession(number, in: .icmp) }
            } else if let number = self[.tcp].sessions.nextExpired(at: now) {
                expireTCP(number, output)
            }
        }
    }

    /// RFC 6146 §3.5.2.2, "if the lifetime expires", state by state.
    private mutating func expireTCP(_ number: UInt32, _ output: any PacketOutput) {
        switch self[.tcp].sessions[number].state {
        case .established where configuration.probesIdleConnections:
            probe(self[.tcp].sessions[number], output)
            self[.tcp].sessions[number].state = .trans
            let deadline = now + lifetimes.tcpTransitory
            self[.tcp].sessions.revive(number, deadline: deadline, at: now)
        case .v4Init where self[.tcp].sessions[number].storedSYN != Session.noStoredSYN:
            refuseStoredSYN(of: self[.tcp].sessions[number], output)
            closeExpiredSession(number, in: .tcp)
        case .closed, .established, .v4Init, .v6Init, .v4FinRcv, .v6FinRcv, .v4FinV6FinRcv, .trans:
            closeExpiredSession(number, in: .tcp)
        }
    }
}
