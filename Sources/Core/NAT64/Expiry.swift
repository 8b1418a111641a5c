// SPDX-License-Identifier: Apache-2.0
public import Wire

// Expiry of sessions, stored SYNs and fragmented datagrams.

extension NAT64 {
    /// The earliest time at which something may expire; `.distantFuture` if nothing will. Calling `expire` then may turn out to be too
    /// early, as refreshed sessions are detected only at their old deadline.
    public var nextDeadline: Instant {
        min(
            min(self[.udp].sessions.nextDeadline, self[.tcp].sessions.nextDeadline),
            min(self[.icmp].sessions.nextDeadline, fragments.nextDeadline))
    }

    /// The same in the path of a packet, where nothing is borrowed (see `NAT64`).
    @inline(always)
    private mutating func earliestDeadline() -> Instant {
        min(
            min(self[.udp].sessions.nextDeadline, self[.tcp].sessions.nextDeadline),
            min(self[.icmp].sessions.nextDeadline, fragments.nextDeadline))
    }

    /// Expires everything whose deadline is at `time` or before.
    public mutating func expire(at time: Instant, output: any PacketOutput) {
        if earliestDeadline() <= time { expireAll(until: time, output) }
        now = max(now, time)
    }

    /// Handles one event after the other, each at its own time: a consequence, such as a probed session's last four minutes, may end within
    /// the same call.
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
