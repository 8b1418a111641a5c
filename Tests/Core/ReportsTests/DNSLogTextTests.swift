// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Wire
import Evidence
import FoundationEssentials
import Reports
import Testing
import Text

@Suite struct DNSLogTextTests {
    private static let address = IPv4Address(198, 51, 100, 10)

    static let queries: [QueryRecord] = {
        var validating = QueryRecord(
            "shop.test", .aaaa, ["64:ff9b::c633:640a"], at: .milliseconds(12), from: [address])
        validating.dnssecOK = true
        var cut = QueryRecord("many.test", .txt, at: .milliseconds(50), rule: .otherType)
        cut.isTruncated = true
        var unreadable = QueryRecord(
            nil, code: .formatError, at: .milliseconds(60), flags: [], source: .none, rule: .form)
        unreadable.refusal = .malformed
        return [
            validating,
            QueryRecord(
                "www.shop.test", .a, ["CNAME shop.test.", "198.51.100.10"], at: .milliseconds(15),
                source: .forwarder(Endpoint("192.0.2.53", port: 53)), rule: .otherType),
            QueryRecord(
                "gone.test", .aaaa, code: .nameError, at: .milliseconds(20), over: .tcp, source: .cache,
                rule: .nameError),
            QueryRecord(
                "version.bind", .txt, code: .refused, at: .milliseconds(30), recordClass: .chaos, source: .none,
                rule: .otherClass),
            QueryRecord(
                "shop.test", .aaaa, code: nil, at: .milliseconds(40), from: [address],
                faults: [.delay(.milliseconds(300)), .drop]),
            cut, unreadable,
        ]
    }()

    @Test func `a line says who, what, whence and why`() throws {
        try expectGolden(Self.queries.map { DNSLogText.line($0) + "\n" }.joined(), "dns-log.txt")
    }

    @Test func `a log has the time of day in UTC`() {
        let line = DNSLogText.line(Self.queries[2], at: TimeStamp(nanosecondsSince1970: 1_795_300_295_042_500_000))
        #expect(line.hasPrefix("2026-11-21T22:31:35.042Z tcp [2e00:2:0:1::c0:100]:40000  gone.test AAAA rd → NXDOMAIN"))
    }
}
