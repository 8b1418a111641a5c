// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import TestSupport
import Testing
import Wire

/// The kernel's messages about closed IPv4 sockets, in a network namespace of their own.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for network namespaces"))
struct `The kernel's messages about closed sockets` {
    private static func socket(_ family: Int32 = AF_INET, _ type: __socket_type) -> Descriptor {
        Descriptor(owning: Glibc.socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0))
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: borrowing Descriptor,
        _ address: IPv4Address, _ port: UInt16
    ) -> Int32 {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = address.bits.bigEndian
        return unsafe withUnsafeBytes(of: &name) { bytes in
            unsafe function(
                socket.number, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
        }
    }

    private static let any = IPv4Address(bits: 0)

    /// Compares what the kernel told of the sockets that `body` closed.
    private static func expect(_ told: Set<ClosedSocket>, after body: @Sendable @escaping () throws -> Void) throws {
        try OwnNetwork.run {
            let record = try ClosedSockets.watch()
            try body()
            #expect(Set(record.finish(until: MonotonicClock.now() + .seconds(20))) == told)
        }
    }

    @Test func `tell of an attempt without a route, of servers, and of what was never used`() throws {
        try Self.expect(
            [
                ClosedSocket(.tcp, Self.any, port: 0), ClosedSocket(.tcp, Self.any, port: 8080),
                ClosedSocket(.udp, Self.any, port: 5300), ClosedSocket(.udp, Self.any, port: 0),
            ]
        ) {
            let stream = Self.socket(AF_INET, SOCK_STREAM)
            #expect(unsafe Self.call(connect, stream, IPv4Address(203, 0, 113, 7), 80) == -1 && errno == ENETUNREACH)
            let server = Self.socket(AF_INET, SOCK_STREAM)
            #expect(unsafe Self.call(bind, server, Self.any, 8080) == 0)
            #expect(listen(server.number, 1) == 0)
            let waiting = Self.socket(AF_INET, SOCK_DGRAM)
            #expect(unsafe Self.call(bind, waiting, Self.any, 5300) == 0)
            _ = Self.socket(AF_INET, SOCK_DGRAM)
        }
    }

    @Test func `tell nothing of IPv6, of the loopback, and of comparisons of addresses`() throws {
        try Self.expect([]) {
            _ = Self.socket(AF_INET6, SOCK_STREAM)
            _ = Self.socket(AF_INET6, SOCK_DGRAM)
            let local = Self.socket(AF_INET, SOCK_DGRAM)
            #expect(unsafe Self.call(bind, local, IPv4Address(127, 0, 0, 1), 5300) == 0)
            let compared = Self.socket(AF_INET, SOCK_DGRAM)
            #expect(unsafe Self.call(connect, compared, IPv4Address(203, 0, 113, 7), 80) == -1 && errno == ENETUNREACH)
        }
    }

    @Test func `are as many as there is room for, however many sockets are closed`() throws {
        try Self.expect([ClosedSocket(.tcp, Self.any, port: 0)]) {
            for _ in 0..<20_000 { _ = Self.socket(AF_INET, SOCK_STREAM) }
        }
    }
}
