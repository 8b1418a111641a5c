// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Foundation
import TestSupport
import Testing
import Wire

@testable import World

/// Certificates as shown to other clients than ours: OpenSSL's, Python's and curl's.
@Suite("Certificates by the server's name", .timeLimit(.minutes(5))) struct ServerNameTests {
    /// Runs `command` with these words replaced: PORT, and CA.pem by the path of the authority's certificate.
    private func run(_ service: RunningService, _ command: [String]) async throws -> ProgramEnd {
        let trusted = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString).pem")
        try service.authority.certificatePEM.write(to: trusted, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: trusted) }
        return try await runAside(
            command.map {
                $0.replacing("PORT", with: "\(service.port)").replacing("CA.pem", with: trusted.path)
            })
    }

    private func openSSL(_ arguments: [String]) -> [String] {
        ["openssl", "s_client", "-connect", "127.0.0.1:PORT", "-CAfile", "CA.pem", "-verify_return_error"] + arguments
    }

    private func web(_ change: (inout WebSettings) -> Void) -> WebSettings {
        var web = WebSettings()
        change(&web)
        return web
    }

    private let two = ["first.test", "second.test"]

    @Test(arguments: [
        (["-servername", "second.test", "-verify_hostname", "second.test"], true),
        (["-servername", "alias.test", "-verify_hostname", "first.test"], true),
        (["-servername", "second.test", "-verify_hostname", "first.test"], false),
        (["-noservername", "-verify_hostname", "first.test"], true),
        (["-noservername", "-verify_hostname", "second.test"], false),
        (["-servername", "third.test", "-verify_hostname", "first.test"], true),
        (["-noservername", "-verify_ip", "127.0.0.1"], false),
    ]) func `each host has its own, and who names none is shown the first`(arguments: [String], isGood: Bool)
        async throws
    {
        try await withService(.https, names: two) { service in
            let end = try await run(service, openSSL(arguments))
            #expect((end.status == 0) == isGood, Comment(rawValue: end.standardError))
        }
    }

    @Test(arguments: [
        ("-noservername", nil as String?, "missing extension|alert number 109"),
        ("-servername", "third.test", "unrecognized name|alert number 112"),
    ]) func `a server may require a name, and says so by its alert`(
        flag: String, name: String?, alert: String
    ) async throws {
        try await withService(.https, names: two, web: web { $0.withoutServerName = .close }) { service in
            let refused = try await run(service, openSSL([flag] + (name.map { [$0] } ?? [])))
            #expect(refused.status != 0)
            #expect(try refused.standardError.contains(Regex(alert)), Comment(rawValue: refused.standardError))
            let served = try await run(
                service, openSSL(["-servername", "second.test", "-verify_hostname", "second.test"]))
            #expect(served.status == 0, Comment(rawValue: served.standardError))
        }
    }

    @Test func `a server may show who names none the certificate of another`() async throws {
        let cdn = try DomainName("cdn.test")
        try await withService(.https, web: web { $0.withoutServerName = .certificate(of: cdn) }) { service in
            let end = try await run(service, openSSL(["-noservername", "-verify_hostname", "cdn.test"]))
            #expect(end.status == 0, Comment(rawValue: end.standardError))
        }
    }

    @Test(arguments: [
        (WebSettings.Certificate.expired, "certificate has expired"),
        (.selfSigned, "self-signed certificate"), (.wrongName, "(?i)hostname mismatch"),
        (.naming([], [IPAddress("192.0.2.1")!]), "(?i)hostname mismatch"),
    ]) func `what is wrong with a certificate is what Python says`(
        certificate: WebSettings.Certificate, message: String
    ) async throws {
        let host = try DomainName("host.test")
        let fetch = """
            import socket, ssl, sys
            context = ssl.create_default_context(cafile="CA.pem")
            with socket.create_connection(("127.0.0.1", PORT)) as plain:
                with context.wrap_socket(plain, server_hostname=sys.argv[1]) as link:
                    print(link.version())
            """
        try await withService(.https, web: web { $0.certificates[host] = certificate }) { service in
            let end = try await run(service, ["python3", "-c", fetch, "host.test"])
            #expect(end.status != 0)
            #expect(try end.standardError.contains(Regex(message)), Comment(rawValue: end.standardError))
        }
    }

    @Test func `a certificate may name an address`() async throws {
        let host = try DomainName("host.test")
        let web = web { $0.certificates[host] = .naming([host], [Loopback.ipv4]) }
        try await withService(.https, web: web) { service in
            for target in ["https://127.0.0.1:PORT/", "https://host.test:PORT/"] {
                let end = try await run(
                    service,
                    [
                        "curl", "-sS", "--noproxy", "*", "--cacert", "CA.pem", "--resolve", "host.test:PORT:127.0.0.1",
                        target,
                    ])
                #expect(end.status == 0, Comment(rawValue: end.standardError))
            }
        }
    }

    @Test func `curl to an address fails by the certificate`() async throws {
        try await withService(.https) { service in
            let end = try await run(
                service, ["curl", "-sS", "--noproxy", "*", "--cacert", "CA.pem", "https://127.0.0.1:PORT/"])
            #expect(end.status == 60, Comment(rawValue: end.standardError))
        }
    }

    @Test(arguments: [("host.test", 200), ("alias.test", 200), ("other.test", 404), ("127.0.0.1", 404), ("[::1]", 404)])
    func `a host that the server does not have`(name: String, status: Int) async throws {
        try await withService(.http, web: web { $0.unknownHost = 404 }) { service in
            let answer = try await service.exchange("GET / HTTP/1.1\r\nHost: \(name)\r\nConnection: close\r\n\r\n")
            #expect(TestResponse(answer).status == status)
        }
        try await withService(.http) { service in
            let answer = try await service.exchange("GET / HTTP/1.1\r\nHost: \(name)\r\nConnection: close\r\n\r\n")
            #expect(TestResponse(answer).status == 200)
        }
    }

    @Test func `half a hello, and none, do no harm`() async throws {
        try await withService(.https, limit: 2) { service in
            for text in ["\u{16}\u{3}\u{1}", "", "\u{16}\u{3}\u{1}\u{0}\u{1}\u{2}", "GET / HTTP/1.1\r\n\r\n"] {
                let connection = try await service.connect()
                try await connection.send(text)
                try await connection.finish()
                _ = try? await connection.receiveToEnd()
                try await connection.close()
            }
            let end = try await run(service, openSSL(["-servername", "host.test", "-verify_hostname", "host.test"]))
            #expect(end.status == 0, Comment(rawValue: end.standardError))
        }
    }
}
