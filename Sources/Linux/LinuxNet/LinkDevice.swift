// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// This process's end of a link: packets that the kernel sends over the link's interface are read here, and packets written here
/// arrive on it.
///
/// One call moves one IP packet, which may be a super-packet (`Offload`). No call of the data path allocates, throws or blocks.
package enum LinkDevice: ~Copyable, Sendable {
    case tun(TUNDevice)
    case ethernet(EthernetDevice)

    /// Takes over a descriptor that another process made, after checking it.
    package init(adopting file: consuming Descriptor) throws(SystemError) {
        if file.isSocket {
            self = .ethernet(try EthernetDevice(adopting: file))
        } else {
            self = .tun(try TUNDevice(adopting: file))
        }
    }

    package enum ReadResult: Equatable, Sendable {
        case packet
        case wouldBlock
        /// A packet was lost because its header is invalid.
        case malformed
        /// The link's interface was deleted. The descriptor may then stay readable for ever.
        case deleted
        case error(Errno)
    }

    package enum WriteResult: Equatable, Sendable {
        case written
        case wouldBlock
        /// The link's interface was deleted. At least one read or write reports it.
        case deleted
        /// The kernel refused the packet.
        case error(Errno)
    }

    /// For epoll, and for passing it on.
    package var descriptor: Int32 {
        switch self {
        case .tun(let device): device.descriptor
        case .ethernet(let device): device.descriptor
        }
    }

    /// Whether the kernel delivers and accepts a train of UDP datagrams as one packet (Linux 6.2).
    package var hasUDPSegmentation: Bool {
        switch self {
        case .tun(let device): device.hasUDPSegmentation
        case .ethernet: EthernetDevice.hasUDPSegmentation
        }
    }

    /// Whether the kernel delivers super-packets. If not, each packet of a TUN fits the link's MTU and has its checksums; packets from
    /// Ethernet stay as their sender made them.
    package borrowing func setOffloads(_ areOn: Bool) throws(SystemError) {
        switch self {
        case .tun(let device): try device.setOffloads(areOn)
        case .ethernet: break
        }
    }

    package var isTUN: Bool {
        switch self {
        case .tun: true
        case .ethernet: false
        }
    }

    /// Reads one packet, `offload` included. The buffer should have the capacity of `PacketBuffer.largestPacket`: a longer packet is
    /// truncated.
    @inline(__always)
    package borrowing func read(into buffer: inout PacketBuffer) -> ReadResult {
        switch self {
        case .tun(let device): device.read(into: &buffer)
        case .ethernet(let device): device.read(into: &buffer)
        }
    }

    /// Writes the packet with its `offload`; the octets before the packet, in its headroom, are overwritten.
    @inline(__always)
    package borrowing func write(_ buffer: inout PacketBuffer) -> WriteResult {
        switch self {
        case .tun(let device): device.write(&buffer)
        case .ethernet(let device): device.write(&buffer)
        }
    }
}

extension Descriptor {
    fileprivate var isSocket: Bool {
        var status = stat()
        return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
