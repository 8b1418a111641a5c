// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Foundation
import NIOSSL
import TestSupport
import Testing
import Wire

@testable import World

@Suite("The certificates of a run", .timeLimit(.minutes(5))) struct CertificateTests {
    private let names = CertificateNames(
        names: [try! DomainName("shop.test"), try! DomainName("*.shop.test")],
        addresses: [IPAddress("198.51.100.10")!, IPAddress("2e00:2:0:cafe::20")!])

    /// The result of `openssl`, with the authority's certificate and the server's as files `ca.pem` and `leaf.pem`.
    private func openssl(
        _ arguments: [String], _ authority: CertificateAuthority
    ) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (trusted, leaf) = (folder.appending(path: "ca.pem"), folder.appending(path: "leaf.pem"))
        try authority.certificatePEM.write(to: trusted, atomically: false, encoding: .utf8)
        try PEM.text("CERTIFICATE", authority.issue(for: names).certificate)
            .write(to: leaf, atomically: false, encoding: .utf8)
        let ended = try runToEnd(
            ["openssl"] + arguments.map { ["ca.pem": trusted.path, "leaf.pem": leaf.path][$0] ?? $0 })
        return (ended.status, String(decoding: ended.standardOutput, as: UTF8.self) + ended.standardError)
    }

    // Now, for a client whose clock is behind by 47 hours, and with a daemon that has served for a year.
    @Test(arguments: [0.0, 47, -8784])
    func `the chain satisfies RFC 5280, now and for a year`(hours: Double) throws {
        let authority = try CertificateAuthority(now: Date().addingTimeInterval(hours * 3600))
        let (status, output) = try openssl(
            ["verify", "-x509_strict", "-check_ss_sig", "-purpose", "sslserver", "-CAfile", "ca.pem", "leaf.pem"],
            authority)
        #expect(status == 0, "made \(hours) h from now: \(output)")
    }

    @Test(arguments: [(-9528.0, "certificate has expired"), (49, "certificate is not yet valid")])
    func `nobody takes them for valid later, nor before`(hours: Double, reason: String) throws {
        let authority = try CertificateAuthority(now: Date().addingTimeInterval(hours * 3600))
        let (status, output) = try openssl(["verify", "-CAfile", "ca.pem", "leaf.pem"], authority)
        #expect(status == 2 && output.contains(reason), Comment(rawValue: output))
    }

    // RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050 on. -x509_strict looks at that.
    @Test func `the chain satisfies RFC 5280 after 2049`() throws {
        let authority = try CertificateAuthority(now: Date(timeIntervalSince1970: 2_600_000_000))
        let (status, output) = try openssl(
            ["verify", "-x509_strict", "-attime", "2600000000", "-CAfile", "ca.pem", "leaf.pem"], authority)
        #expect(status == 0, Comment(rawValue: output))
        #expect(try openssl(["asn1parse", "-in", "leaf.pem"], authority).output.contains("GENERALIZEDTIME"))
    }

    // In the form of `openssl x509 -ext`: RFC 5280 §4.2.1 says which are critical.
    @Test func `a server's certificate cannot sign another`() throws {
        let output = try openssl(
            ["x509", "-noout", "-in", "leaf.pem", "-ext", "basicConstraints,keyUsage,extendedKeyUsage"],
            CertificateAuthority()
        ).output
        let lines = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines == [
                "X509v3 Basic Constraints: critical", "CA:FALSE", "X509v3 Key Usage: critical", "Digital Signature",
                "X509v3 Extended Key Usage:", "TLS Web Server Authentication",
            ])
    }

    @Test func `an authority's certificate can sign servers' and no other's`() throws {
        let output = try openssl(
            ["x509", "-noout", "-in", "ca.pem", "-ext", "basicConstraints,keyUsage"], CertificateAuthority()
        ).output
        let lines = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines == [
                "X509v3 Basic Constraints: critical", "CA:TRUE, pathlen:0", "X509v3 Key Usage: critical",
                "Certificate Sign, CRL Sign",
            ])
    }

    @Test func `no two authorities share a key or a number`() throws {
        let both = try [CertificateAuthority(), CertificateAuthority()].map {
            try NIOSSLCertificate(bytes: Array($0.certificatePEM.utf8), format: .pem)
        }
        #expect(try both[0].extractPublicKey().toSPKIBytes() != both[1].extractPublicKey().toSPKIBytes())
        #expect(both[0].serialNumber != both[1].serialNumber)
    }

    @Test func `a certificate and its key as a file belong together`() throws {
        let file = try CertificateAuthority().issuePEM(for: names)
        let certificate = try #require(try NIOSSLCertificate.fromPEMBytes(file).first)
        let key = try NIOSSLPrivateKey(bytes: file, format: .pem)
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        // BoringSSL refuses another's key.
        #expect(throws: Never.self) { try NIOSSLContext(configuration: configuration) }
    }

    @Test(arguments: [
        ["-verify_hostname", "shop.test"], ["-verify_hostname", "www.shop.test"], ["-verify_ip", "198.51.100.10"],
        ["-verify_ip", "2e00:2:0:cafe::20"],
    ])
    func `OpenSSL accepts them in its strictest mode`(identity: [String]) throws {
        let (status, output) = try openssl(
            ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "ca.pem"] + identity + ["leaf.pem"],
            CertificateAuthority())
        #expect(status == 0, Comment(rawValue: output))
    }

    @Test(arguments: [
        (["-verify_hostname", "bank.test"], "hostname mismatch"),
        (["-verify_ip", "198.51.100.11"], "IP address mismatch"),
    ])
    func `and refuses them for others`(identity: [String], reason: String) throws {
        let arguments = ["verify", "-CAfile", "ca.pem"] + identity + ["leaf.pem"]
        let (status, output) = try openssl(arguments, CertificateAuthority())
        #expect(status == 2 && output.contains(reason), Comment(rawValue: output))
    }
}
