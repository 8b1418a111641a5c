// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import NAT64
import Translation
import Wire

/// The NAT64 between two descriptors, as in the packet path: a packet is read, translated and written again.
///
/// Theory of operation. Socket pairs replace the TUNs, whose kernel side would cost more. `feed` puts packets into the far end of one,
/// `relay` moves them from its near end through the NAT64 to the near end of the other, whose far end `drain` empties. Only `relay` is
/// measured. A turn has no more packets than the sockets hold.
final class SocketPath: DropWitness {
    private let source: Ends
    private let target: Ends
    private var buffer = PacketBuffer()
    private var drained = PacketBuffer()
    private var emitted = 0
    private(set) var lastDrop: DropReason?

    /// Near and far.
    private struct Ends: ~Copyable {
        let near: Descriptor
        let far: Descriptor

        init() throws(BenchFailure) {
            var numbers: (Int32, Int32) = (-1, -1)
            let status = unsafe withUnsafeMutableBytes(of: &numbers) {
                unsafe socketpair(
                    AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, $0.assumingMemoryBound(to: Int32.self).baseAddress!)
            }
            if status != 0 { throw BenchFailure("socketpair: \(Errno(errno))") }
            near = Descriptor(owning: numbers.0)
            far = Descriptor(owning: numbers.1)
        }
    }

    init() throws(BenchFailure) {
        source = try Ends()
        target = try Ends()
    }

    /// Packets of that length in a turn: the kernel's buffers hold some 200,000 octets, its own overhead included.
    static func turn(length: Int) -> Int { max(1, min(32, 64_000 / length)) }

    func feed(_ packet: inout PacketBuffer) { send(&packet, to: source.far) }

    func relay(_ count: Int, from side: Side, through nat64: inout NAT64) {
        for _ in 0..<count {
            receive(&buffer, from: source.near)
            nat64.receive(&buffer, from: side, at: .zero, output: self)
        }
    }

    func drain() {
        for _ in 0..<emitted { receive(&drained, from: target.far) }
        emitted = 0
    }

    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?) {
        send(&packet, to: target.near)
        emitted += 1
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        lastDrop = reason
    }

    @inline(always)
    private func send(_ packet: inout PacketBuffer, to descriptor: borrowing Descriptor) {
        _ = unsafe packet.withBytes(prefix: 0) { unsafe write(descriptor.number, $0.baseAddress, $0.count) }
    }

    @inline(always)
    private func receive(_ packet: inout PacketBuffer, from descriptor: borrowing Descriptor) {
        unsafe packet.fill(prefix: 0) { unsafe read(descriptor.number, $0.baseAddress, $0.count) }
    }
}
