// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import LinuxNet
import Netlink
import TestPackets
import TestSupport
import Testing
import Topology
import Wire

@testable import Sandbox

/// Packets between the kernel and an Ethernet link, in both directions, as over a TUN.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for network namespaces"))
struct `An Ethernet link` {
    private static let own = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)
    private static let other = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 2)
    private static let name = "test0"

    private static func makeLink() throws -> EthernetDevice {
        let device = try EthernetPair.make(name)
        try ClientInterface.configure(
            ClientNetwork(interface: name, ipv6: .init(address: own, prefixLength: 64, gateway: other)), isTUN: false)
        return device
    }

    /// The next packet, waited for.
    private static func read(
        _ device: borrowing EthernetDevice, into buffer: inout PacketBuffer, for limit: Duration = .seconds(5)
    ) throws -> LinkDevice.ReadResult {
        var epoll = try Epoll()
        try epoll.add(device.descriptor, .readable, token: 0)
        _ = epoll.wait(until: MonotonicClock.now() + limit)
        return device.read(into: &buffer)
    }

    private static func send(_ octets: [UInt8], from socket: borrowing DatagramSocket, to address: IPv6Address) {
        var batch = DatagramBatch(datagramCapacity: octets.count)
        _ = batch.append(octets.span, to: SocketAddress(address, port: 5000))
        _ = socket.send(batch)
    }

    @Test func `shows one interface, which is running when it is configured`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            let link = try RouteSocket().link(named: Self.name)
            #expect(link.isUp && link.isRunning)
            #expect(unsafe if_nametoindex("lo") == 1 && if_nametoindex(Self.name) > 1)
            var names: [String] = []
            let list = unsafe if_nameindex()
            var entry = unsafe list
            while let name = unsafe entry?.pointee.if_name {
                unsafe names.append(String(cString: name))
                unsafe entry = entry.map { unsafe $0 + 1 }
            }
            unsafe if_freenameindex(list)
            #expect(names == ["lo", Self.name])
            _ = device.descriptor
        }
    }

    @Test func `asks for no neighbour, leaves the checksum to us, and takes one that is left to the kernel`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            let socket = try DatagramSocket(bindingTo: SocketAddress(Self.own, port: 4000))
            Self.send([1, 2, 3, 4], from: socket, to: Self.other)

            // The first packet is the datagram, not a solicitation.
            var buffer = PacketBuffer()
            #expect(try Self.read(device, into: &buffer) == .packet)
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
            #expect(device.write(&buffer) == .written)
            #expect(buffer.octets == packet)
            var epoll = try Epoll()
            try epoll.add(socket.descriptor, .readable, token: 0)
            #expect(epoll.wait(until: MonotonicClock.now() + .seconds(5)) == 1)
            var batch = DatagramBatch(datagramCapacity: 64)
            #expect(socket.receive(into: &batch) == .received(1))
            #expect(batch.peer(0) == SocketAddress(Self.other, port: 5000))
        }
    }

    @Test func `crosses as super-packets, where the kernel can tell of them`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            let socket = try DatagramSocket(bindingTo: SocketAddress(Self.own, port: 4000))
            // UDP_SEGMENT: the kernel may cut what we send into datagrams of 1,000 octets.
            var size: Int32 = 1000
            #expect(unsafe setsockopt(socket.descriptor, Int32(IPPROTO_UDP), 103, &size, 4) == 0)
            Self.send([UInt8](repeating: 7, count: 30_000), from: socket, to: Self.other)
            var buffer = PacketBuffer()
            #expect(try Self.read(device, into: &buffer) == .packet)
            if EthernetDevice.hasUDPSegmentation {
                #expect(buffer.count == 40 + 8 + 30_000)
                #expect(buffer.offload.segmentation == .udp)
                #expect(buffer.offload.segmentSize == 1000)
                #expect(buffer.offload.headerLength >= 48)
            } else {
                #expect(buffer.count == 40 + 8 + 1000)
            }
        }
    }

    /// As on a kernel before 6.2, where a super-packet of UDP would be lost on its way to us.
    @Test func `crosses as single datagrams where the interface is told so`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            #expect(unsafe clinux_limit_offloads(Self.name, false) == 0)
            let socket = try DatagramSocket(bindingTo: SocketAddress(Self.own, port: 4000))
            var size: Int32 = 1000
            #expect(unsafe setsockopt(socket.descriptor, Int32(IPPROTO_UDP), 103, &size, 4) == 0)
            Self.send([UInt8](repeating: 7, count: 3000), from: socket, to: Self.other)
            var buffer = PacketBuffer()
            for _ in 0..<3 {
                #expect(try Self.read(device, into: &buffer) == .packet)
                #expect(buffer.count == 40 + 8 + 1000)
                #expect(buffer.offload.segmentation == .none)
            }
            #expect(device.read(into: &buffer) == .wouldBlock)
        }
    }

    @Test func `would block when there is nothing, and hears nothing of what it sends`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            let near = try EthernetDevice.open(interface: Self.name)
            var buffer = PacketBuffer()
            #expect(device.read(into: &buffer) == .wouldBlock)
            #expect(buffer.count == 0)
            let packet = [UInt8](repeating: 0x60, count: 60)
            buffer.replace(with: packet.span)
            #expect(near.write(&buffer) == .written)
            #expect(near.read(into: &buffer) == .wouldBlock)
            #expect(try Self.read(device, into: &buffer) == .packet)
            #expect(buffer.octets == packet)
        }
    }

    @Test func `carries IP alone`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            let near = try EthernetDevice.open(interface: Self.name)
            // A virtio_net_hdr of zeros, two addresses, the type of ARP.
            let frame = [UInt8](repeating: 0, count: 10 + 12) + [0x08, 0x06] + [UInt8](repeating: 1, count: 28)
            #expect(unsafe Glibc.send(near.descriptor, frame, frame.count, 0) == frame.count)
            var buffer = PacketBuffer()
            #expect(try Self.read(device, into: &buffer, for: .milliseconds(50)) == .wouldBlock)
        }
    }

    @Test func `is refused by the kernel where its description is false`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            var buffer = PacketBuffer()
            buffer.replace(with: [UInt8](repeating: 0x60, count: 60).span)
            buffer.offload.hasPartialChecksum = true
            buffer.offload.checksumStart = 4000
            #expect(device.write(&buffer) == .error(.EINVAL))
            buffer.reset()
            #expect(device.write(&buffer) == .error(.EINVAL))
        }
    }

    @Test func `goes with its descriptor`() throws {
        try OwnNetwork.run {
            do { _ = try Self.makeLink().descriptor }
            _ = try eventually("the end of the interface") { unsafe if_nametoindex(Self.name) == 0 ? true : nil }
        }
    }

    @Test func `that was deleted says so once`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            #expect(unsafe system("ip link delete \(Self.name)") == 0)
            var buffer = PacketBuffer()
            #expect(try Self.read(device, into: &buffer) == .deleted)
            buffer.replace(with: [UInt8](repeating: 0x60, count: 60).span)
            #expect(device.write(&buffer) == .deleted)
        }
    }

    @Test func `can be adopted by another owner, unless it is something else`() throws {
        try OwnNetwork.run {
            let device = try Self.makeLink()
            let adopted = try LinkDevice(adopting: Descriptor(owning: dup(device.descriptor)))
            let isTUN = adopted.isTUN
            #expect(!isTUN)
            #expect(throws: SystemError("getsockopt(PACKET_VNET_HDR)", .EINVAL)) {
                _ = try LinkDevice(adopting: Descriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)))
            }
            // A packet socket of no interface and without the header.
            #expect(throws: SystemError("getsockopt(PACKET_VNET_HDR)", .EINVAL)) {
                _ = try LinkDevice(adopting: Descriptor(owning: socket(AF_PACKET, Int32(SOCK_RAW.rawValue), 0)))
            }
        }
    }
}
