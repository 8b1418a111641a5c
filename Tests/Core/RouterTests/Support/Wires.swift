// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

@testable import Router

/// The two links of one router, which keep what comes out.
final class Wires: RouterOutput {
    struct Sent: Equatable {
        let link: Link
        let octets: [UInt8]
        var offload = Offload.none
    }

    var sent: [Sent] = []
    var drops: [DropReason] = []
    /// The links' result for the next packets.
    var answers: DropReason?

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        if let answers { return answers }
        sent.append(Sent(link: link, octets: packet.contents, offload: packet.offload))
        // A receiver may overwrite the buffer.
        var bytes = packet.mutableBytes
        for index in 0..<bytes.count { bytes[index] = 0xa5 }
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) { drops.append(reason) }
}

extension PacketBuffer {
    var contents: [UInt8] { (0..<count).map { bytes[$0] } }

    init(_ octets: [UInt8]) {
        self.init()
        replace(with: octets.span)
    }
}

/// A router at a time of the test's choosing.
struct RouterUnderTest: ~Copyable {
    var router: Router
    let wires = Wires()
    var now = Instant.zero

    init(_ configuration: RouterConfiguration, tap: (any PacketTap)? = nil) throws {
        router = try Router(configuration, now: now, output: wires, tap: tap)
    }

    /// The output and the drops caused by one packet.
    mutating func receive(
        _ packet: borrowing PacketBuffer, from link: Link
    ) -> (sent: [Wires.Sent], drops: [DropReason]) {
        var buffer = PacketBuffer(packet.contents)
        buffer.offload = packet.offload
        router.receive(&buffer, from: link, at: now)
        defer {
            wires.sent = []
            wires.drops = []
        }
        return (wires.sent, wires.drops)
    }
}
