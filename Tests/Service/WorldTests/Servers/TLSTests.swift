// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Wire
import NIOCore
import NIOSSL
import Testing

@testable import World

@Suite("https", .timeLimit(.minutes(5))) struct TLSTests {
    private func client(
        trusting authority: CertificateAuthority, versions: ClosedRange<Int> = 2...3
    ) throws -> TLSConfiguration {
        let all: [TLSVersion] = [.tlsv1, .tlsv11, .tlsv12, .tlsv13]
        var client = TLSConfiguration.makeClientConfiguration()
        client.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.certificatePEM.utf8)))
        client.minimumTLSVersion = all[versions.lowerBound]
        client.maximumTLSVersion = all[versions.upperBound]
        return client
    }

    private func get(
        _ path: String, from service: RunningService, as client: TLSConfiguration, serverName: String? = "host.test"
    ) async throws -> TestResponse {
        let connection = try await service.connect(tls: client, serverName: serverName)
        do {
            try await connection.send("GET \(path) HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\r\n")
            let answer = try await connection.receiveToEnd()
            try await connection.close()
            return TestResponse(String(decoding: answer.readableBytesView, as: UTF8.self))
        } catch {
            try? await connection.close()
            throw error
        }
    }

    @Test(arguments: [2...2, 3...3]) func `TLS 1.2 and 1.3 are spoken`(versions: ClosedRange<Int>) async throws {
        try await withService(.https) { service in
            let response = try await get(
                "/", from: service, as: client(trusting: service.authority, versions: versions))
            #expect(response.status == 200)
            #expect(response.body.contains("(https)"))
        }
    }

    @Test func `older versions are not`() async throws {
        try await withService(.https) { service in
            await #expect(throws: (any Error).self) {
                _ = try await get("/", from: service, as: client(trusting: service.authority, versions: 0...1))
            }
        }
    }

    @Test(arguments: ["host.test", "HOST.test", "alias.test"])
    func `the certificate is good for the host and its aliases`(name: String) async throws {
        try await withService(.https) { service in
            let response = try await get("/", from: service, as: client(trusting: service.authority), serverName: name)
            #expect(response.status == 200)
        }
    }

    @Test(arguments: ["other.test", "sub.host.test", "test", nil])
    func `the certificate is good for nothing else`(name: String?) async throws {
        try await withService(.https) { service in
            await #expect(throws: (any Error).self) {
                _ = try await get("/", from: service, as: client(trusting: service.authority), serverName: name)
            }
        }
    }

    @Test(arguments: [Loopback.ipv4, Loopback.ipv6])
    func `the certificate is not good for the address of the host`(address: IPAddress) async throws {
        try await withService(.https, at: address) { service in
            await #expect(throws: (any Error).self) {
                _ = try await get("/", from: service, as: client(trusting: service.authority), serverName: nil)
            }
        }
    }

    @Test func `the authority of another run is not trusted`() async throws {
        try await withService(.https) { service in
            await #expect(throws: (any Error).self) {
                _ = try await get("/", from: service, as: client(trusting: CertificateAuthority()))
            }
        }
    }

    @Test func `HTTP without TLS is refused, and the next client served`() async throws {
        try await withService(.https) { service in
            _ = try? await service.exchange("GET / HTTP/1.1\r\nHost: host.test\r\n\r\n")
            let response = try await get("/status/200", from: service, as: client(trusting: service.authority))
            #expect(response.status == 200)
        }
    }

    @Test func `a large body is echoed while it comes`() async throws {
        let size = 16 * 1024 * 1024
        try await withService(.https) { service in
            let connection = try await service.connect(
                tls: client(trusting: service.authority), serverName: "host.test")
            try await connection.send(
                "POST /echo HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n")
            var count = 0
            async let sending: Void = sendPattern(size, over: connection)
            try await connection.receive { count += $0.readableBytes }
            try await sending
            #expect((size...size + 1000).contains(count))
            try await connection.close()
        }
    }
}
