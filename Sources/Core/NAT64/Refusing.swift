import Translation
import Wire

// A packet that goes nowhere: it is counted and reported once, and its sender is told where the RFCs ask for that.

extension NAT64 {
    mutating func refuse(
        _ packet: borrowing PacketBuffer, _ refusal: Refusal, from origin: Origin, _ output: any PacketOutput
    ) {
        // An error of our own: the packet that it is about has been reported, and there is no error about an error.
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

    /// The error has the family of the packet, which for a hairpinned one is not that of its sender.
    mutating func sendError(
        _ answer: Refusal.Answer, about packet: borrowing PacketBuffer, _ output: any PacketOutput
    ) {
        if !configuration.errors.isEnabled { return }
        var reply = takeScratch()
        if let destination = build(answer, about: packet, into: &reply) {
            if errorBucket.take(at: now) {
                send(&reply, to: destination, output)
            } else {
                counters.errorsSuppressed &+= 1
            }
        }
        scratch = consume reply
    }

    private enum ErrorDestination {
        case ipv6
        case ipv4(IPv4Address)
    }

    /// Nil where there must be no error about the packet.
    private mutating func build(
        _ answer: Refusal.Answer, about packet: borrowing PacketBuffer, into reply: inout PacketBuffer
    ) -> ErrorDestination? {
        if let layout = try? IPv6Layout(packet.bytes), case .ipv6(let error) = answer.error(to: .ipv6) {
            return errorBuilder.build(error, about: packet, layout, into: &reply) ? .ipv6 : nil
        }
        if let layout = try? IPv4Layout(packet.bytes), case .ipv4(let error) = answer.error(to: .ipv4) {
            return errorBuilder.build(error, about: packet, layout, into: &reply) ? .ipv4(layout.source) : nil
        }
        return nil
    }

    /// An error about a hairpinned packet goes to an address of the pool, and thus to the host that has it.
    private mutating func send(
        _ reply: inout PacketBuffer, to destination: ErrorDestination, _ output: any PacketOutput
    ) {
        switch destination {
        case .ipv4(let address) where pool.contains(address):
            let emitted = counters.emittedToIPv6
            receiveIPv4(&reply, from: .ourselves, output)
            if counters.emittedToIPv6 > emitted { counters.errorsSent &+= 1 } else { counters.errorsSuppressed &+= 1 }
        case .ipv4:
            counters.errorsSent &+= 1
            emit(&reply, to: .ipv4, output)
        case .ipv6:
            counters.errorsSent &+= 1
            emit(&reply, to: .ipv6, output)
        }
    }
}
