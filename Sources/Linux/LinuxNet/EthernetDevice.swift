// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// A packet socket at one end of an Ethernet link whose other end is the interface of a client or of the simulated world. It replaces a
/// TUN if there is none.
///
/// Theory of operation. The interface that the socket is bound to is ours alone: it has no address, and frames that are sent to it reach
/// only its packet socket. Each read or write moves one frame:
///
///      0                  10            16       22     24
///      +------------------+-------------+--------+------+--------------------
///      | virtio_net_hdr   | destination | source | type | IP packet
///      +------------------+-------------+--------+------+--------------------
///
/// The packet has the same position as in a read from a TUN, and the rest is in the buffer's headroom, so nothing is copied. The
/// kernel needs no neighbour's address: the interface at the other end has IFF_NOARP (`EthernetPair`), and sends all frames to its own
/// address. At this end that means PACKET_OTHERHOST: the IP stack of this end's namespace drops the frames, and only the socket, which
/// receives every frame, gets them.
package struct EthernetDevice: ~Copyable, Sendable {
    private let socket: Descriptor
    /// Source address of the frames that are written; `peer` is their destination.
    private let own: EthernetAddress
    private let peer: EthernetAddress
    /// Whether the interface being down means that it was deleted; one that is not ours may come up again.
    private let isOwn: Bool

    /// The address of the interface at the other end: locally administered (IEEE 802), and the same on each link, as frames never
    /// leave theirs.
    package static let peerAddress = EthernetAddress(bits: 0x0200_0000_0002)
    /// The address of this end.
    package static let ownAddress = EthernetAddress(bits: 0x0200_0000_0001)

    private static let header = clinux_ethernet_header_size
    private static let prefix = VirtioNetHeader.size + header
    private static let destinationOffset = VirtioNetHeader.size
    private static let sourceOffset = destinationOffset + 6
    private static let typeOffset = sourceOffset + 6

    /// Whether a train of UDP datagrams crosses the link as one packet.
    package static var hasUDPSegmentation: Bool { clinux_packet_knows_udp_segmentation() }

    /// Opens a socket on an interface of the calling thread's network namespace. Needs CAP_NET_RAW.
    package static func open(interface: String) throws(SystemError) -> EthernetDevice {
        let number = unsafe clinux_packet_socket(interface)
        if number < 0 { throw .last("socket(AF_PACKET)", what: interface) }
        return EthernetDevice(socket: Descriptor(owning: number))
    }

    /// Takes over a socket that another process made as `open` does, possibly with another filter.
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

    /// A device on a link that is not ours; the socket gets only that device's frames (`DeviceSocket`).
    init(_ socket: consuming Descriptor, of device: EthernetAddress, from own: EthernetAddress) {
        self.init(socket: socket, own: own, peer: device, isOwn: false)
    }

    /// Restricts the kernel's offloads at the interface of the other end to those that `Offload` can describe. Needs CAP_NET_ADMIN in the
    /// calling thread's network namespace, which must be that of the interface.
    package static func limitOffloads(of interface: String) throws(SystemError) {
        if unsafe clinux_limit_offloads(interface, hasUDPSegmentation) != 0 {
            throw .last("ioctl(SIOCETHTOOL)", what: interface)
        }
    }

    /// For epoll, and for passing it on.
    package var descriptor: Int32 { socket.number }

    @inline(never)
    package borrowing func read(into buffer: inout PacketBuffer) -> LinkDevice.ReadResult {
        unsafe buffer.readFrame(linkHeader: Self.header) { target in
            unsafe recv(socket.number, target.baseAddress!, target.count, Int32(MSG_DONTWAIT))
        } failing: { reason in
            switch reason {
            case .EAGAIN: .wouldBlock
            case .ENETDOWN: isOwn ? .deleted : .wouldBlock
            // The header cannot describe the work that the kernel left to us. The packet is lost.
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
            // ENOBUFS: the interface's queue is full.
            case .EAGAIN, .ENOBUFS: .wouldBlock
            case .ENETDOWN, .ENXIO: isOwn ? .deleted : .wouldBlock
            // EINVAL: the offload does not fit the packet. EMSGSIZE: the packet is too long for Ethernet.
            default: .error(reason)
            }
        }
    }

    @inline(__always)
    private borrowing func writeHeader(into bytes: UnsafeMutableRawBufferPointer) {
        let version = unsafe bytes[Self.prefix] >> 4
        let type = version == 4 ? clinux_ethernet_type_ipv4 : clinux_ethernet_type_ipv6
        // destination ← the other end, source ← this end, type ← from the IP packet's version
        // Each store writes eight octets; the following one overwrites the last two.
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
