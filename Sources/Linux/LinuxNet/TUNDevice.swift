// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// A TUN: a network interface whose other end is this process. Packets that the kernel routes to the interface are read here, and
/// packets written here arrive on it.
///
/// One call moves one packet, which may be a super-packet (`Offload`). No call of the data path allocates, throws or blocks:
/// not even if another process has the same TUN and clears its O_NONBLOCK (Linux 6.4).
package struct TUNDevice: ~Copyable, Sendable {
    private let file: Descriptor
    /// The interface's name, in the network namespace where it was made.
    package let name: String
    /// Whether the kernel delivers and accepts a train of UDP datagrams as one packet (Linux 6.2).
    package let hasUDPSegmentation: Bool

    /// The reason that this machine has no TUN: /dev/net/tun cannot be opened, or is something else. `nil` if it has.
    package static var obstacle: SystemError? {
        do throws(SystemError) {
            _ = try TUNDevice(adopting: Descriptor.open("/dev/net/tun", flags: O_RDWR | O_NONBLOCK))
            return nil
        } catch {
            // A newly opened one is attached to no interface.
            return error.errno == .EBADFD ? nil : error
        }
    }

    /// Makes an interface in the network namespace of the calling thread. It is deleted with the descriptor.
    package static func create(name: String) throws(SystemError) -> TUNDevice {
        let file = try Descriptor.open("/dev/net/tun", flags: O_RDWR | O_NONBLOCK)
        if unsafe clinux_tun_attach(file.number, name) != 0 { throw .last("ioctl(TUNSETIFF)", what: name) }
        return try TUNDevice(configuring: file, name: name)
    }

    /// Takes over a descriptor that another process made. It must be a TUN with `IFF_NO_PI` and `IFF_VNET_HDR`, and
    /// nothing else; its offloads are set again.
    package init(adopting file: consuming Descriptor) throws(SystemError) {
        let name = unsafe try withUnsafeTemporaryAllocation(
            of: CChar.self, capacity: clinux_interface_name_size
        ) { buffer throws(SystemError) in
            if unsafe clinux_tun_inspect(file.number, buffer.baseAddress!) != 0 { throw .last("ioctl(TUNGETIFF)") }
            return unsafe String(cString: buffer.baseAddress!)
        }
        try file.setNonBlocking()
        self = try TUNDevice(configuring: file, name: name)
    }

    private init(configuring file: consuming Descriptor, name: String) throws(SystemError) {
        var udpSegmentation = false
        if unsafe clinux_tun_enable_offloads(file.number, &udpSegmentation) != 0 {
            throw .last("ioctl(TUNSETOFFLOAD)", what: name)
        }
        self.file = file
        self.name = name
        hasUDPSegmentation = udpSegmentation
    }

    /// Keeps the interface when its descriptor is closed, until its network namespace is deleted. In a namespace of our own that is soon
    /// enough, and fast: the kernel deletes the namespace asynchronously, while closing the last descriptor of a non-persistent interface
    /// blocks for a grace period.
    package borrowing func outliveDescriptor() throws(SystemError) {
        if clinux_tun_set_persistent(file.number, true) != 0 { throw .last("ioctl(TUNSETPERSIST)", what: name) }
    }

    /// Whether the kernel delivers super-packets. If not, each packet fits the link's MTU and has its checksums.
    package borrowing func setOffloads(_ areOn: Bool) throws(SystemError) {
        var udpSegmentation = false
        let result =
            unsafe areOn
            ? clinux_tun_enable_offloads(file.number, &udpSegmentation) : clinux_tun_disable_offloads(file.number)
        if result != 0 { throw .last("ioctl(TUNSETOFFLOAD)", what: name) }
    }

    /// For epoll, and for passing it on.
    package var descriptor: Int32 { file.number }

    /// Reads one packet, `offload` included. The buffer should have the capacity of `PacketBuffer.largestPacket`: a longer packet is
    /// truncated.
    @inline(never)
    package borrowing func read(into buffer: inout PacketBuffer) -> LinkDevice.ReadResult {
        unsafe buffer.readFrame { target in
            unsafe clinux_tun_read(file.number, target.baseAddress!, target.count)
        } failing: { reason in
            switch reason {
            case .EAGAIN: .wouldBlock
            case .EBADFD: .deleted
            default: .error(reason)
            }
        }
    }

    /// Writes the packet with its `offload`; the octets before the packet, in its headroom, are overwritten.
    @inline(never)
    package borrowing func write(_ buffer: inout PacketBuffer) -> LinkDevice.WriteResult {
        unsafe buffer.writeFrame { bytes in
            unsafe clinux_tun_write(file.number, bytes.baseAddress!, bytes.count)
        } failing: { reason in
            switch reason {
            case .EAGAIN: .wouldBlock
            case .EBADFD: .deleted
            // EINVAL: the offload does not fit the packet. EIO: the interface is down.
            default: .error(reason)
            }
        }
    }
}
