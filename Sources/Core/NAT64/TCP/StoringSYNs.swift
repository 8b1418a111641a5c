// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.5.2.2, V4 INIT: a SYN from the IPv4 side that no mapping admits waits for one from the IPv6 side.

extension NAT64 {
    /// Stores the SYN, with a session in V4 INIT that has no BIB entry, even if (T,t) is in the BIB: a look-up from the IPv6 side must not
    /// find it, and it must not keep a mapping alive or open a filter.
    ///
    /// A SYN that cannot be stored is dropped without an answer, as RFC 5382 REQ-4 forbids an answer for six seconds.
    mutating func storeSYN(
        _ packet: borrowing PacketBuffer, from remote: TransportAddress4, to mapped: TransportAddress4
    ) throws(Refusal) {
        if self[.tcp].sessions.isFull { throw Refusal(.sessionTableFull) }
        guard let slot = storedSYNs.insert(packet.bytes, from: remote, to: mapped) else {
            throw Refusal(.storedSYNsExhausted)
        }
        var session = Session(
            host: .unspecified, remote: remote.address, mapped: mapped.address, hostPort: 0, remotePort: remote.port,
            mappedPort: mapped.port, state: .v4Init, prefix: 0, binding: noEntry)
        session.storedSYN = slot
        let deadline = now + lifetimes.tcpIncomingSYN
        if let number = self[.tcp].sessions.insert(session, deadline: deadline, at: now) {
            self[.tcp].sessions.countFromIPv4(number, octets: packet.count)
        }
        counters.sessionsOpened &+= 1
        counters.stored &+= 1
    }

    /// The IPv6 side has sent its SYN: the session becomes another one, and the stored SYN is not needed, as its sender will answer the
    /// other SYN (RFC 5382 REQ-4: it is silently dropped).
    mutating func supersedeStoredSYN(of number: UInt32, _ output: any PacketOutput) {
        dropStoredSYN(of: self[.tcp].sessions[number], because: .storedSYNSuperseded, answer: nil, output)
        self[.tcp].sessions.remove(number)
        counters.sessionsClosed &+= 1
    }

    /// The six seconds are over: sends an error to the sender, as no host listens.
    mutating func refuseStoredSYN(of session: Session, _ output: any PacketOutput) {
        dropStoredSYN(of: session, because: .storedSYNExpired, answer: .portUnreachable, output)
    }

    private mutating func dropStoredSYN(
        of session: Session, because reason: DropReason, answer: Refusal.Answer?, _ output: any PacketOutput
    ) {
        var packet = takeScratch()
        storedSYNs.load(session.storedSYN, into: &packet)
        storedSYNs.remove(session.storedSYN)
        drop(packet, reason, from: .ipv4, output)
        if let answer { sendError(answer, about: packet, output) }
        scratch = consume packet
    }
}
