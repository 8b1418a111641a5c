// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import DNSWire
import Foundation
import LinuxNet
import Testing
import Translation
import Wire
import TestSupport

/// Whether libunbound can be had here.
private let libraryIsThere: Bool = {
    var configuration = ResolverConfiguration(store: RecordStore([]), networks: [])
    configuration.validation = Validation(trustAnchors: [])
    do throws(ValidatorError) {
        _ = try Validator(for: configuration)
        return true
    } catch {
        if case .noLibrary = error { return false }
        return true
    }
}()

/// RFC 6147 §5.5 with libunbound, over the signed zones of fixtures/zones.
@Suite(.serialized, .enabled(if: libraryIsThere, "needs libunbound (libunbound8)")) struct ValidationTests {
    private func service() throws -> DNSService {
        func records(_ file: String) throws -> [ResourceRecord] {
            try ZoneFile(String(contentsOfFile: "\(projectRoot)fixtures/zones/\(file)", encoding: .utf8)).records
        }
        var store = RecordStore([try ResourceRecord(presentation: "shop.test. A 9.9.9.9", defaultTTL: 60)])
        for name in ["signed.test", "child.signed.test"] {
            store.add(zone: try DomainName(name), try records("\(name).zone"))
        }
        var policy = SynthesisPolicy(prefix: .wellKnown)
        policy.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!]
        var configuration = ResolverConfiguration(store: store, networks: [ServedNetwork(policy: policy)])
        configuration.validation = Validation(trustAnchors: try records("signed.test.ds"))
        let service = try DNSService(
            configuration, listeningOn: [SocketAddress(IPv6Address.loopback, port: 0)],
            validator: try Validator(for: configuration))
        try service.start()
        return service
    }

    private func ask(
        _ service: DNSService, _ name: String, _ type: RecordType, dnssecOK: Bool = true, checkingDisabled: Bool = false
    ) throws -> Message {
        var query = try DNSClient.query(name, type)
        query.edns?.dnssecOK = dnssecOK
        if checkingDisabled { query.flags.insert(.checkingDisabled) }
        let replies = try DNSClient(server: service.addresses[0]).exchange([query.encoded()], expecting: 1)
        return try #require(replies.first)
    }

    @Test(arguments: ["v4.signed.test", "x.wild.signed.test", "v4.child.signed.test", "www.signed.test"])
    func `data has AD`(_ name: String) throws {
        let service = try service()
        defer { service.stop() }
        let signed = try ask(service, name, .a)
        #expect(signed.responseCode == .noError && signed.flags.contains(.authenticData))
        #expect(signed.answer.contains { $0.type == .rrsig })
        let plain = try ask(service, name, .a, dnssecOK: false)
        #expect(plain.responseCode == .noError && !plain.flags.contains(.authenticData))
        #expect(!plain.answer.isEmpty && !plain.answer.contains { $0.type == .rrsig })
    }

    @Test func `absence is validated before anything is made of it`() throws {
        let service = try service()
        defer { service.stop() }
        for (name, address) in [
            ("v4.signed.test", "64:ff9b::c633:643d"), ("v4.child.signed.test", "64:ff9b::c633:6444"),
        ] {
            let reply = try ask(service, name, .aaaa)
            // RFC 6147 §5.5, items 1 and 2
            #expect(reply.answer.map { "\($0.data)" } == [address] && reply.flags.contains(.authenticData))
            let plain = try ask(service, name, .aaaa, dnssecOK: false)
            #expect(plain.answer.map { "\($0.data)" } == [address] && !plain.flags.contains(.authenticData))
        }
        let unsigned = try ask(service, "shop.test", .aaaa)
        #expect(
            unsigned.answer.map { "\($0.data)" } == ["64:ff9b::909:909"] && !unsigned.flags.contains(.authenticData))
        let none = try ask(service, "none.signed.test", .aaaa)
        #expect(none.responseCode == .nameError && none.flags.contains(.authenticData))
    }

    @Test func `what does not validate is a failure`() throws {
        let service = try service()
        defer { service.stop() }
        for type in [RecordType.a, .aaaa] {
            let reply = try ask(service, "broken.signed.test", type, dnssecOK: false)
            #expect(reply.responseCode == .serverFailure && reply.answer.isEmpty)
            #expect(reply.edns?.extendedErrors.map(\.infoCode) == [ExtendedError.bogus])
        }
        let unchecked = try ask(service, "broken.signed.test", .a, checkingDisabled: true)
        #expect(unchecked.responseCode == .noError && unchecked.answer.count == 2)
    }

    @Test func `who sets CD and DO validates for itself`() throws {
        let service = try service()
        defer { service.stop() }
        let reply = try ask(service, "v4.signed.test", .aaaa, checkingDisabled: true)
        #expect(reply.answer.isEmpty && reply.authority.contains { $0.type == .nsec })
    }
}
