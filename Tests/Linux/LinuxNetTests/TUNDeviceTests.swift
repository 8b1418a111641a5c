// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import TestSupport
import Testing
import Wire

@testable import LinuxNet

@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `A TUN` {
    /// 2001:db8::2 → 2001:db8::1, an ICMPv6 echo request with a right checksum.
    static let echoRequest: [UInt8] = [
        0x60, 0, 0, 0, 0, 8, 58, 64,
        0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
        0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
        128, 0, 0x24, 0x4b, 0, 0, 0, 0,
    ]

    @Test func `of no interface is none`() throws {
        #expect(throws: SystemError("ioctl(TUNGETIFF)", Errno(ENOTTY))) {
            _ = try TUNDevice(adopting: Descriptor.open("/dev/null", flags: O_RDWR))
        }
        #expect(throws: SystemError("ioctl(TUNGETIFF)", Errno(EBADFD))) {
            _ = try TUNDevice(adopting: Descriptor.open("/dev/net/tun", flags: O_RDWR))
        }
    }

    @Test func `has a name, offloads, and goes with its descriptor`() throws {
        try OwnNetwork.run {
            do {
                let tun = try TUNDevice.create(name: "test0")
                #expect(tun.name == "test0")
                #expect(unsafe if_nametoindex("test0") > 0)
                #expect(throws: SystemError("ioctl(TUNSETIFF)", .EBUSY, what: "test0")) {
                    _ = try TUNDevice.create(name: "test0")
                }
            }
            #expect(unsafe if_nametoindex("test0") == 0)
            #expect(throws: SystemError("ioctl(TUNSETIFF)", .ENAMETOOLONG, what: "a-name-that-is-too-long")) {
                _ = try TUNDevice.create(name: "a-name-that-is-too-long")
            }
        }
    }

    @Test func `can be adopted by another owner, unless it is something else`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let adopted = try TUNDevice(adopting: Descriptor(owning: dup(tun.descriptor)))
            #expect(adopted.name == "test0")
            #expect(adopted.hasUDPSegmentation == tun.hasUDPSegmentation)
        }
    }

    @Test func `would block when there is nothing, and does not write while it is down`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            var buffer = PacketBuffer()
            #expect(tun.read(into: &buffer) == .wouldBlock)
            #expect(buffer.count == 0)
            buffer.replace(with: Self.echoRequest.span)
            #expect(tun.write(&buffer) == .error(Errno(EIO)))
        }
    }

    @Test func `keeps the packet when it writes it`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            var buffer = PacketBuffer()
            buffer.replace(with: Self.echoRequest.span)
            _ = tun.write(&buffer)
            let bytes = buffer.bytes
            #expect(bytes.indices.map { bytes[$0] } == Self.echoRequest)
        }
    }
}
