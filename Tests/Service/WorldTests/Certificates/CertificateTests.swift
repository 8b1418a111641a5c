import TestSupport
import Wire
import DNSWire
import Foundation
import SwiftASN1
import Testing
import X509

@testable import World

@Suite("The certificates of a run", .timeLimit(.minutes(5))) struct CertificateTests {
    private let names = CertificateNames(
        names: [try! DomainName("shop.test"), try! DomainName("*.shop.test")],
        addresses: [IPAddress("198.51.100.10")!, IPAddress("2001:2:0:cafe::20")!])

    @Test func `the chain satisfies RFC 5280, now and for days`() async throws {
        // A client whose clock is behind by 47 hours, and one at the end of a very long run.
        for hours in [47.0, 0, -167] {
            let authority = try CertificateAuthority(now: Date().addingTimeInterval(hours * 3600))
            let (certificate, _) = try authority.issue(for: names)
            var verifier = Verifier(rootCertificates: CertificateStore([authority.certificate])) {
                RFC5280Policy()
                ServerIdentityPolicy(serverHostname: "shop.test", serverIP: nil)
            }
            let result = await verifier.validate(leaf: certificate, intermediates: CertificateStore())
            guard case .validCertificate = result else {
                Issue.record("made \(hours) h from now: \(result)")
                continue
            }
        }
    }

    @Test func `a server's certificate cannot sign another`() throws {
        let (certificate, _) = try CertificateAuthority().issue(for: names)
        #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)
        #expect(try certificate.extensions.keyUsage?.keyCertSign == false)
    }

    @Test func `no two authorities share a key`() throws {
        #expect(try CertificateAuthority().certificate.publicKey != CertificateAuthority().certificate.publicKey)
    }

    @Test(
        .enabled("openssl is not installed", { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }),
        arguments: [
            ["-verify_hostname", "shop.test"], ["-verify_hostname", "www.shop.test"], ["-verify_ip", "198.51.100.10"],
            ["-verify_ip", "2001:2:0:cafe::20"],
        ])
    func `OpenSSL accepts them in its strictest mode`(identity: [String]) throws {
        let authority = try CertificateAuthority()
        let (certificate, _) = try authority.issue(for: names)
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (trusted, leaf) = (folder.appending(path: "ca.pem"), folder.appending(path: "leaf.pem"))
        try authority.certificatePEM.write(to: trusted, atomically: false, encoding: .utf8)
        try certificate.serializeAsPEM().pemString.write(to: leaf, atomically: false, encoding: .utf8)

        let openssl = try runToEnd(
            ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", trusted.path] + identity
                + [leaf.path])
        #expect(openssl.status == 0, Comment(rawValue: openssl.standardError))
    }
}
