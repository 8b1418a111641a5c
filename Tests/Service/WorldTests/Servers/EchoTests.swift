// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import TestSupport
import Wire
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import World

@Suite("Echo (RFC 862)", .timeLimit(.minutes(5))) struct EchoTests {
    @Test(arguments: [Loopback.ipv4, Loopback.ipv6])
    func `over TCP, what comes before a FIN goes back before one`(address: IPAddress) async throws {
        try await withService(.tcpEcho, at: address) { service in
            let connection = try await service.connect()
            try await connection.send("hello")
            try await connection.finish()
            let answer = try await connection.receiveToEnd()
            #expect(answer == ByteBuffer(string: "hello"))
            try await connection.close()
        }
    }

    @Test func `over TCP, a FIN alone is answered by one`() async throws {
        try await withService(.tcpEcho) { service in
            let connection = try await service.connect()
            try await connection.finish()
            let answer = try await connection.receiveToEnd()
            #expect(answer.readableBytes == 0)
            try await connection.close()
        }
    }

    @Test func `over TCP, a conversation goes to and fro`() async throws {
        try await withService(.tcpEcho) { service in
            let connection = try await service.connect()
            for word in ["one", "two", "three"] {
                try await connection.send(word)
                let answer = try await connection.receive(atLeast: word.utf8.count)
                #expect(answer == ByteBuffer(string: word))
            }
            try await connection.close()
        }
    }

    @Test func `over TCP, a long stream comes back whole`() async throws {
        let size = 48 * 1024 * 1024
        try await withService(.tcpEcho) { service in
            let connection = try await service.connect()
            var check = PatternCheck()
            async let sending: Void = {
                try await sendPattern(size, over: connection)
                try await connection.finish()
            }()
            try await connection.receive { check.add($0) }
            try await sending
            #expect(check.count == size)
            #expect(check.isIntact)
            try await connection.close()
        }
    }

    @Test(arguments: [0, 1, 1500, 65_507])
    func `over UDP, a datagram of any size comes back`(size: Int) async throws {
        let datagram = BytePattern.chunk.getSlice(at: 0, length: size)!
        try await withService(.udpEcho) { service in
            let server = try SocketAddress(ipAddress: service.service.address.description, port: Int(service.port))
            let answer = try await exchangeDatagram(datagram, with: server)
            #expect(answer.data == datagram)
            #expect(answer.remoteAddress == server)
        }
    }

    @Test func `over UDP, the largest datagram of IPv6 comes back`() async throws {
        let datagram = BytePattern.chunk.getSlice(at: 0, length: 65_527)!
        try await withService(.udpEcho, at: Loopback.ipv6) { service in
            let server = try SocketAddress(ipAddress: "::1", port: Int(service.port))
            let answer = try await exchangeDatagram(datagram, with: server)
            #expect(answer.data == datagram)
        }
    }

    @Test(
        .enabled("this needs root and python3, for a raw socket") {
            getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
        })
    func `over UDP, a sender that cannot be answered is not, and the next one is`() async throws {
        try await withService(.udpEcho) { service in
            // Not on a thread that the echo may need.
            let python = try await runAside([
                "python3", "-c",
                """
                import socket, struct
                def send(source, port):
                    udp = struct.pack("!HHHH", port, \(service.port), 12, 0) + b"lost"
                    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0)
                    ends = socket.inet_aton(source) + socket.inet_aton("127.0.0.1")
                    raw.sendto(ip + ends + udp, ("127.0.0.1", 0))
                raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
                send("127.0.0.1", 0)
                send("255.255.255.255", 9)
                # The port is the echo's all the time: who finds it free would keep it.
                for attempt in range(1000):
                    other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    try:
                        other.bind(("127.0.0.1", \(service.port)))
                        exit(3)
                    except OSError:
                        other.close()
                # What the echo had read together with the one that it could not answer is lost with that.
                asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                asker.settimeout(0.5)
                for attempt in range(20):
                    asker.sendto(b"next", ("127.0.0.1", \(service.port)))
                    try:
                        exit(0 if asker.recv(16) == b"next" else 1)
                    except TimeoutError:
                        pass
                exit(2)
                """,
            ])
            #expect(python.status == 0)
        }
    }

    private func exchangeDatagram(
        _ datagram: ByteBuffer, with server: SocketAddress
    ) async throws -> AddressedEnvelope<ByteBuffer> {
        let client = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .bind(to: SocketAddress(ipAddress: server.ipAddress!, port: 0)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<AddressedEnvelope<ByteBuffer>, AddressedEnvelope<ByteBuffer>>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await client.executeThenClose { inbound, outbound in
            try await outbound.write(AddressedEnvelope(remoteAddress: server, data: datagram))
            for try await answer in inbound { return answer }
            throw ChannelError.eof
        }
    }
}
