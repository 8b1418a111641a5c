// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// A packet socket for one of many devices on an Ethernet link. Opening it needs privileges; it is assigned to a device later, which needs
/// none.
///
/// Theory of operation. The kernel separates the devices: each socket has a filter for one device's Ethernet address, and a router of its
/// own reads it. The router's address does not belong to the interface: the kernel's own network stack ignores frames to it
/// (PACKET_OTHERHOST), and the interface accepts them because a socket asks for that (PACKET_MR_PROMISC) for as long as it is open.
package struct DeviceSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Needs CAP_NET_RAW in the calling thread's network namespace.
    package static func open(interface: String) throws(SystemError) -> DeviceSocket {
        let number = unsafe clinux_device_socket(interface)
        if number < 0 { throw .last("socket(AF_PACKET)", what: interface) }
        return DeviceSocket(adopting: Descriptor(owning: number))
    }

    /// Takes over a socket that another process has opened.
    package init(adopting file: consuming Descriptor) { self.file = file }

    /// For passing it on.
    package var descriptor: Int32 { file.number }

    /// Assigns the socket to a device.
    /// - Parameter own: the router's address.
    package borrowing func link(to device: EthernetAddress, from own: EthernetAddress) throws(SystemError) -> LinkDevice
    {
        if clinux_device_socket_choose(file.number, own.bits, device.bits) != 0 {
            throw .last("setsockopt(SO_ATTACH_FILTER)")
        }
        return .ethernet(EthernetDevice(try file.duplicate(), of: device, from: own))
    }

    /// Releases the socket from its device. Frames of the device that are still queued are discarded.
    package borrowing func leave() {
        _ = clinux_device_socket_choose(file.number, 0, 0)
        var octet: UInt8 = 0
        while unsafe recv(file.number, &octet, 1, Int32(MSG_DONTWAIT)) >= 0 {}
    }
}

/// A packet socket that receives the frames by which devices are discovered (`DeviceDetector`).
package struct DiscoverySocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Needs CAP_NET_RAW in the calling thread's network namespace.
    package static func open(interface: String) throws(SystemError) -> DiscoverySocket {
        let number = unsafe clinux_discovery_socket(interface)
        if number < 0 { throw .last("socket(AF_PACKET)", what: interface) }
        return DiscoverySocket(adopting: Descriptor(owning: number))
    }

    /// Takes over a socket that another process has opened.
    package init(adopting file: consuming Descriptor) { self.file = file }

    /// For epoll, and for passing it on.
    package var descriptor: Int32 { file.number }

    /// Maximum number of devices to leave out.
    package static let limit = Int(clinux_discovery_limit)

    /// Receives no more frames of these devices, except for those that concern all devices.
    package borrowing func leaveOut(_ devices: [EthernetAddress]) throws(SystemError) {
        let bits = devices.map(\.bits)
        let status = unsafe bits.withUnsafeBufferPointer {
            unsafe clinux_discovery_socket_leave_out(file.number, $0.baseAddress, UInt32($0.count))
        }
        if status != 0 { throw .last("setsockopt(SO_ATTACH_FILTER)") }
    }

    package enum ReadResult: Equatable, Sendable {
        /// The length of the frame in the buffer.
        case frame(Int)
        case none
        /// The interface has gone down.
        case down
    }

    /// Reads a frame, truncated to the buffer.
    package borrowing func read(into buffer: inout [UInt8]) -> ReadResult {
        let count = unsafe buffer.withUnsafeMutableBytes { target in
            retrying { unsafe recv(file.number, target.baseAddress, target.count, Int32(MSG_DONTWAIT)) }
        }
        if count >= 0 { return .frame(count) }
        return Errno.last == .ENETDOWN ? .down : .none
    }

    /// Sends a frame. If the interface does not accept it, it is lost, as on any link.
    package borrowing func send(_ frame: [UInt8]) {
        _ = unsafe frame.withUnsafeBytes { bytes in
            retrying {
                unsafe Glibc.send(file.number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
        }
    }
}

extension EthernetAddress {
    /// The address of an Ethernet interface of the calling thread's network namespace.
    package init(ofInterface name: String) throws(SystemError) {
        let bits = unsafe clinux_interface_address(name)
        if bits == 0 { throw .last("ioctl(SIOCGIFHWADDR)", what: name) }
        self.init(bits: bits)
    }
}
