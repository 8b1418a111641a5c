// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// Dropping a packet: it is counted and reported once, and its sender gets an error if the RFCs require one.

extension NAT64 {
    mutating func refuse(
        _ packet: borrowing PacketBuffer, _ refusal: Refusal, from origin: Origin, _ output: any PacketOutput
    ) {
        // An error of our own: the packet in error has been reported, and there is no error about an error.
        if origin == .ourselves { return }
        drop(packet, refusal.reason, from: origin.side, output)
        if let answer = refusal.answer { sendError(answer, about: packet, output) }
    }

    mutating func drop(
        _ packet: borrowing PacketBuffer, _ reason: DropReason, from side: Side, _ output: any PacketOutput
    ) {
        counters.drops.count(reason)
        output.dropped(packet, from: side, because: reason)
    }

    /// The error has the family of the packet; for a hairpinned one that is not the family of its sender.
    mutating func sendError(
        _ answer: Refusal.Answer, about packet: borrowing PacketBuffer, _ output: any PacketOutput
    ) {
        if !configuration.errors.isEnabled { return }
        guard let family = packet.family else { return }
        var reply = takeScratch()
        switch errors.make(answer.error(to: family), about: packet, into: &reply, at: now) {
        case .made: send(&reply, to: family, output)
        case .limited: counters.errorsSuppressed &+= 1
        case .unanswerable: break
        }
        scratch = consume reply
    }

    /// An error about a hairpinned packet is sent to an address of the pool, and so to the host that has it.
    private mutating func send(_ reply: inout PacketBuffer, to side: Side, _ output: any PacketOutput) {
        if side == .ipv4, pool.contains(reply.bytes.ipv4Address(at: IPv4Header.destination)) {
            let emitted = counters.emittedToIPv6
            receiveIPv4(&reply, from: .ourselves, output)
            if counters.emittedToIPv6 > emitted { counters.errorsSent &+= 1 } else { counters.errorsSuppressed &+= 1 }
        } else {
            counters.errorsSent &+= 1
            emit(&reply, to: side, nil, output)
        }
    }
}
