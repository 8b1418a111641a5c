// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import LinuxNet
import Netlink
import TestPackets
import TestSupport
import Testing
import Wire

/// Packets between the kernel and a TUN, in both directions, on a link that is up.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `Traffic over a TUN` {
    static let own = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)
    static let other = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 2)

    static func makeLink() throws -> TUNDevice {
        let tun = try TUNDevice.create(name: "test0")
        let socket = try RouteSocket()
        let index = try socket.link(named: tun.name).index
        try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: false))
        try socket.add(own, prefixLength: 64, to: index)
        try socket.waitUntilLocal([own])
        return tun
    }

    /// The next packet, waited for.
    static func read(_ tun: borrowing TUNDevice, into buffer: inout PacketBuffer) throws -> LinkDevice.ReadResult {
        var epoll = try Epoll()
        try epoll.add(tun.descriptor, .readable, token: 0)
        _ = epoll.wait(until: MonotonicClock.now() + .seconds(5))
        return tun.read(into: &buffer)
    }

    @Test func `leaves the transport checksum to us, and takes one that is left to the kernel`() throws {
        try OwnNetwork.run {
            let tun = try Self.makeLink()
            let socket = try DatagramSocket(bindingTo: SocketAddress(Self.own, port: 4000))
            var batch = DatagramBatch(datagramCapacity: 64)
            _ = batch.append([1, 2, 3, 4].span, to: SocketAddress(Self.other, port: 5000))
            _ = socket.send(batch)

            var buffer = PacketBuffer()
            #expect(try Self.read(tun, into: &buffer) == .packet)
            #expect(buffer.count == 40 + 8 + 4)
            #expect(buffer.offload.hasPartialChecksum)
            #expect(buffer.offload.checksumStart == 40)
            #expect(buffer.offload.checksumOffset == 6)

            // The answer: addresses and ports exchanged, which the pseudo-header's sum does not notice.
            var packet = buffer.octets
            let (source, destination) = (packet[8..<24], packet[24..<40])
            packet.replaceSubrange(8..<40, with: destination + source)
            let (from, to) = (packet[40..<42], packet[42..<44])
            packet.replaceSubrange(40..<44, with: to + from)
            let offload = buffer.offload
            buffer.replace(with: packet.span)
            buffer.offload = offload
            #expect(tun.write(&buffer) == .written)
            var epoll = try Epoll()
            try epoll.add(socket.descriptor, .readable, token: 0)
            #expect(epoll.wait(until: MonotonicClock.now() + .seconds(5)) == 1)
            #expect(socket.receive(into: &batch) == .received(1))
            #expect(batch.peer(0) == SocketAddress(Self.other, port: 5000))
        }
    }

    @Test func `crosses as super-packets`() throws {
        try OwnNetwork.run {
            let tun = try Self.makeLink()
            guard tun.hasUDPSegmentation else { return }
            let socket = try DatagramSocket(bindingTo: SocketAddress(Self.own, port: 4000))
            // UDP_SEGMENT: the kernel may cut what we send into datagrams of 1,000 octets.
            var size: Int32 = 1000
            #expect(unsafe setsockopt(socket.descriptor, Int32(IPPROTO_UDP), 103, &size, 4) == 0)
            var batch = DatagramBatch(datagramCapacity: 30_000)
            _ = batch.append([UInt8](repeating: 7, count: 30_000).span, to: SocketAddress(Self.other, port: 5000))
            _ = socket.send(batch)

            var buffer = PacketBuffer()
            #expect(try Self.read(tun, into: &buffer) == .packet)
            #expect(buffer.count == 40 + 8 + 30_000)
            #expect(buffer.offload.segmentation == .udp)
            #expect(buffer.offload.segmentSize == 1000)
            #expect(buffer.offload.headerLength >= 48)
        }
    }

    @Test func `is refused by the kernel where its description is false`() throws {
        try OwnNetwork.run {
            let tun = try Self.makeLink()
            var buffer = PacketBuffer()
            buffer.replace(with: [UInt8](repeating: 0x60, count: 60).span)
            buffer.offload.hasPartialChecksum = true
            buffer.offload.checksumStart = 4000
            #expect(tun.write(&buffer) == .error(.EINVAL))
        }
    }

    @Test func `ends with the namespace, where the interface outlives its descriptor`() throws {
        try OwnNetwork.run {
            do {
                let tun = try Self.makeLink()
                try tun.outliveDescriptor()
            }
            #expect(try RouteSocket().link(named: "test0").isUp)
        }
    }
}
