// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// A packet socket for one device of many on a link of Ethernet. It is opened with rights, and of no device; which one's it is, is said
/// later, without.
///
/// Theory of operation. The kernel tells the devices apart: each socket has a filter for one device's Ethernet address, and a router of
/// its own reads it. The router's address is none of the interface's: what is sent to it means nothing to the kernel's own network
/// (PACKET_OTHERHOST), and the interface takes it because a socket asks for that (PACKET_MR_PROMISC), for as long as the socket is open.
package struct DeviceSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes CAP_NET_RAW in the calling thread's network namespace.
    package static func open(interface: String) throws(SystemError) -> DeviceSocket {
        let number = unsafe clinux_device_socket(interface)
        if number < 0 { throw .last("socket(AF_PACKET)", what: interface) }
        return DeviceSocket(adopting: Descriptor(owning: number))
    }

    /// One that another process has opened.
    package init(adopting file: consuming Descriptor) { self.file = file }

    /// For passing on.
    package var descriptor: Int32 { file.number }

    /// The link to a device, from now on.
    /// - Parameter own: the router's address.
    package borrowing func link(to device: EthernetAddress, from own: EthernetAddress) throws(SystemError) -> LinkDevice
    {
        if clinux_device_socket_choose(file.number, own.bits, device.bits) != 0 {
            throw .last("setsockopt(SO_ATTACH_FILTER)")
        }
        return .ethernet(EthernetDevice(try file.duplicate(), of: device, from: own))
    }

    /// Nobody's from now on. What has come for the last one is thrown away.
    package borrowing func leave() {
        _ = clinux_device_socket_choose(file.number, 0, 0)
        var octet: UInt8 = 0
        while unsafe recv(file.number, &octet, 1, Int32(MSG_DONTWAIT)) >= 0 {}
    }
}

/// A packet socket by which devices show that they are there (`LinkDoor`): whole frames.
package struct DoorSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes CAP_NET_RAW in the calling thread's network namespace.
    package static func open(interface: String) throws(SystemError) -> DoorSocket {
        let number = unsafe clinux_door_socket(interface)
        if number < 0 { throw .last("socket(AF_PACKET)", what: interface) }
        return DoorSocket(adopting: Descriptor(owning: number))
    }

    /// One that another process has opened.
    package init(adopting file: consuming Descriptor) { self.file = file }

    /// For epoll, and for passing on.
    package var descriptor: Int32 { file.number }

    /// Devices that can be left out.
    package static let limit = Int(clinux_door_limit)

    /// Of these devices nothing comes any more but what concerns all.
    package borrowing func leaveOut(_ devices: [EthernetAddress]) throws(SystemError) {
        let bits = devices.map(\.bits)
        let status = unsafe bits.withUnsafeBufferPointer {
            unsafe clinux_door_socket_leave_out(file.number, $0.baseAddress, UInt32($0.count))
        }
        if status != 0 { throw .last("setsockopt(SO_ATTACH_FILTER)") }
    }

    package enum ReadResult: Equatable, Sendable {
        /// As many octets of the buffer are one.
        case frame(Int)
        case none
        /// The interface has gone down.
        case down
    }

    /// Reads a frame, as much of it as there is room for.
    package borrowing func read(into buffer: inout [UInt8]) -> ReadResult {
        let count = unsafe buffer.withUnsafeMutableBytes { target in
            retrying { unsafe recv(file.number, target.baseAddress, target.count, Int32(MSG_DONTWAIT)) }
        }
        if count >= 0 { return .frame(count) }
        return Errno.last == .ENETDOWN ? .down : .none
    }

    /// Sends a frame. One that the interface does not take is lost, as on any link.
    package borrowing func send(_ frame: [UInt8]) {
        _ = unsafe frame.withUnsafeBytes { bytes in
            retrying {
                unsafe Glibc.send(file.number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
        }
    }
}

extension EthernetAddress {
    /// That of an interface of the calling thread's network namespace, which is an Ethernet.
    package init(ofInterface name: String) throws(SystemError) {
        let bits = unsafe clinux_interface_address(name)
        if bits == 0 { throw .last("ioctl(SIOCGIFHWADDR)", what: name) }
        self.init(bits: bits)
    }
}
