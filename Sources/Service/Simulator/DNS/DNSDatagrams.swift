import DNS64
import LinuxNet

// UDP: a batch of queries in, a batch of replies out.

extension DNSEventLoop {
    /// Batches that are answered before other sockets have their turn.
    private static let batchesPerTurn = 16

    func answerDatagrams(_ port: DNSPort) {
        for _ in 0..<Self.batchesPerTurn {
            // An error (a port unreachable that came back) concerns some earlier reply; the next receive goes on.
            guard case .received(let count) = port.datagrams.receive(into: &port.queries) else { return }
            let now = MonotonicClock.now()
            port.replies.removeAll()
            for index in 0..<count {
                guard let peer = port.queries.peer(index) else { continue }
                // From the address that was asked, or the client would not take it (RFC 2181 §4.1).
                let local = port.queries.local(index)
                let path = ReplyPath.datagram(port, peer: peer, local: local)
                let client = Endpoint(peer)
                if case .reply(let reply) = answer(
                    port.queries.bytes(index), from: client, over: .udp, at: now, path: path)
                {
                    _ = port.replies.append(reply.span, to: peer, from: local)
                }
            }
            publishRecords()
            port.datagrams.send(port.replies)
            if count < DatagramBatch.capacity { return }
        }
    }
}
