// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// A packet socket at one end of an Ethernet link whose other end is the interface of a client or of the world. It stands in for a
/// TUN where there is none.
///
/// Theory of operation. The interface that the socket is bound to is ours alone: no address is on it, and what is sent to it is
/// for its packet socket and nobody else. Each read or write moves one frame:
///
///      0                  10            16       22     24
///      +------------------+-------------+--------+------+--------------------
///      | virtio_net_hdr   | destination | source | type | IP packet
///      +------------------+-------------+--------+------+--------------------
///
/// The packet lies where it lies in a read from a TUN, and the rest in the buffer's headroom, so nothing is copied. The kernel
/// is not told the addresses of a neighbour: the interface at the other end has IFF_NOARP (`EthernetPair`), and sends all
/// frames to its own address. Here that means PACKET_OTHERHOST, so the IP of this end's namespace drops them, and the socket, which
/// gets every frame, has them to itself.
package struct EthernetDevice: ~Copyable, Sendable {
    private let socket: Descriptor
    /// Who sends and who gets what is written.
    private let own: EthernetAddress
    private let peer: EthernetAddress
    /// Whether an interface that goes down has gone; one that is not ours may come up again.
    private let isOwn: Bool

    /// The address of the interface at the other end: locally administered (IEEE 802), and the same on each link, as
    /// frames never leave theirs.
    package static let peerAddress = EthernetAddress(bits: 0x0200_0000_0002)
    /// The address of this end.
    package static let ownAddress = EthernetAddress(bits: 0x0200_0000_0001)

    private static let header = clinux_ethernet_header_size
    private static let prefix = VirtioNetHeader.size + header
    private static let destinationOffset = VirtioNetHeader.size
    private static let sourceOffset = destinationOffset + 6
    private static let typeOffset = sourceOffset + 6

    /// Whether trains of UDP datagrams cross as one.
    package static var hasUDPSegmentation: Bool { clinux_packet_knows_udp_segmentation() }

    /// Listens at an interface of the calling thread's network namespace. Takes CAP_NET_RAW.
    package static func open(interface: String) throws(SystemError) -> EthernetDevice {
        let number = unsafe clinux_packet_socket(interface)
        if number < 0 { throw .last("socket(AF_PACKET)", what: interface) }
        return EthernetDevice(socket: Descriptor(owning: number))
    }

    /// Takes over a socket that another process made. It must be one that `open` makes; whoever made it may have it filter otherwise.
    package init(adopting file: consuming Descriptor) throws(SystemError) {
        if clinux_packet_inspect(file.number) != 0 { throw .last("getsockopt(PACKET_VNET_HDR)") }
        self.init(socket: file)
    }

    private init(
        socket: consuming Descriptor, own: EthernetAddress = ownAddress, peer: EthernetAddress = peerAddress,
        isOwn: Bool = true
    ) {
        self.socket = socket
        self.own = own
        self.peer = peer
        self.isOwn = isOwn
    }

    /// A device on a link that is not ours, whose frames alone the socket gets (`DeviceSocket`).
    init(_ socket: consuming Descriptor, of device: EthernetAddress, from own: EthernetAddress) {
        self.init(socket: socket, own: own, peer: device, isOwn: false)
    }

    /// Has the kernel leave to us, at the interface of the other end, no more than `Offload` can describe. Takes CAP_NET_ADMIN in the
    /// calling thread's network namespace, which is that interface's.
    package static func limitOffloads(of interface: String) throws(SystemError) {
        if unsafe clinux_limit_offloads(interface, hasUDPSegmentation) != 0 {
            throw .last("ioctl(SIOCETHTOOL)", what: interface)
        }
    }

    /// For epoll, and for passing on.
    package var descriptor: Int32 { socket.number }

    @inline(never)
    package borrowing func read(into buffer: inout PacketBuffer) -> LinkDevice.ReadResult {
        unsafe buffer.readFrame(linkHeader: Self.header) { target in
            unsafe recv(socket.number, target.baseAddress!, target.count, Int32(MSG_DONTWAIT))
        } failing: { reason in
            switch reason {
            case .EAGAIN: .wouldBlock
            case .ENETDOWN: isOwn ? .deleted : .wouldBlock
            // The header has no words for what is left to us. The packet is gone.
            case .EINVAL: .malformed
            default: .error(reason)
            }
        }
    }

    @inline(never)
    package borrowing func write(_ buffer: inout PacketBuffer) -> LinkDevice.WriteResult {
        guard buffer.count > 0 else { return .error(.EINVAL) }
        return unsafe buffer.writeFrame(linkHeader: Self.header) { bytes in
            unsafe writeHeader(into: bytes)
            return unsafe send(socket.number, bytes.baseAddress!, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        } failing: { reason in
            switch reason {
            // ENOBUFS: the queue of the interface is full.
            case .EAGAIN, .ENOBUFS: .wouldBlock
            case .ENETDOWN, .ENXIO: isOwn ? .deleted : .wouldBlock
            // EINVAL for an offload that does not fit the packet, EMSGSIZE for a packet that no Ethernet carries.
            default: .error(reason)
            }
        }
    }

    @inline(__always)
    private borrowing func writeHeader(into bytes: UnsafeMutableRawBufferPointer) {
        let version = unsafe bytes[Self.prefix] >> 4
        let type = version == 4 ? clinux_ethernet_type_ipv4 : clinux_ethernet_type_ipv6
        // destination ← the other end, source ← this one, type ← of the IP packet's version
        // Eight octets each, of which the last two are overwritten by what follows.
        unsafe Self.store(peer.bits << 16, bytes, Self.destinationOffset)
        unsafe Self.store(own.bits << 16, bytes, Self.sourceOffset)
        unsafe Self.store(UInt16(type), bytes, Self.typeOffset)
    }

    @inline(__always)
    private static func store<Number: FixedWidthInteger>(
        _ number: Number, _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int
    ) {
        unsafe bytes.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }
}
