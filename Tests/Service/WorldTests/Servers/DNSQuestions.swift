// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Foundation
import NIOCore
import NIOSSL
import Wire

@testable import World

/// Messages for the world's own resolvers, and the records that tests have them know.
enum DNSQuestions {
    static let records = [
        "v4.test. 80 A 198.51.100.5", "both.test. 60 A 198.51.100.1", "both.test. 300 AAAA 2e00:2:0:cafe::1",
        "alias.both.test. 30 CNAME both.test.", "sub.zone.test. 60 A 198.51.100.8",
        "zone.test. 900 SOA ns.zone.test. mail.zone.test. 1 3600 600 86400 120",
        "large.test. 60 TXT " + (0..<200).map { _ in String(repeating: "x", count: 250) }.joined(separator: " "),
    ].map { try! ResourceRecord(presentation: $0, defaultTTL: 60) }

    static func query(_ name: String, _ type: RecordType = .a, id: UInt16 = 0, edns: EDNS? = nil) -> [UInt8] {
        let question = Question(name: try! DomainName(name), type: type)
        return Message(id: id, flags: .recursionDesired, questions: [question], edns: edns).encoded()
    }

    /// With the Padding option (RFC 7830 §3).
    static let padded = EDNS(options: [EDNSOption(code: 12, data: [0, 0, 0])])

    static func framed(_ messages: [UInt8]...) -> ByteBuffer {
        var stream: [UInt8] = []
        for message in messages { StreamFraming.append(message, to: &stream) }
        return ByteBuffer(bytes: stream)
    }

    static func replies(in stream: ByteBuffer) throws -> [Message] {
        var framing = StreamFraming()
        framing.append(Array(stream.readableBytesView).span)
        var messages: [Message] = []
        while let message = framing.nextMessage() { messages.append(try Message(message.span)) }
        return messages
    }
}

extension RunningService {
    /// The configuration of a client that trusts the world's authority.
    func tls(offering applicationProtocols: [String] = []) throws -> TLSConfiguration {
        var client = TLSConfiguration.makeClientConfiguration()
        client.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.certificatePEM.utf8)))
        client.applicationProtocols = applicationProtocols
        return client
    }
}
