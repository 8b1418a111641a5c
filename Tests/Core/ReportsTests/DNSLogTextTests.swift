import Evidence
import FoundationEssentials
import Reports
import Testing
import Text

@Suite struct DNSLogTextTests {
    private static let client = "[2001:2:0:aab1::100]:40000"

    static let queries = [
        DNSQuery(
            time: .milliseconds(12), client: client, transport: "udp", name: "shop.test", type: "AAAA",
            flags: ["rd", "do"], responseCode: "NOERROR", answers: ["AAAA 64:ff9b::c633:640a"], source: "world",
            synthesisedFrom: ["198.51.100.10"], rule: "RFC 6147 §5.1.6"),
        DNSQuery(
            time: .milliseconds(15), client: client, transport: "udp", name: "www.shop.test", type: "A",
            responseCode: "NOERROR", answers: ["CNAME shop.test.", "A 198.51.100.10"],
            source: "forwarder 192.0.2.53:53", rule: "RFC 6147 §5.3.3"),
        DNSQuery(
            time: .milliseconds(20), client: client, transport: "tcp", name: "gone.test", type: "AAAA",
            responseCode: "NXDOMAIN", source: "cache", rule: "RFC 6147 §5.1.2"),
        DNSQuery(
            time: .milliseconds(30), client: client, transport: "udp", name: "version.bind", type: "TXT",
            recordClass: "CH", responseCode: "REFUSED", source: "none", rule: "RFC 6147 §5.1"),
        DNSQuery(
            time: .milliseconds(40), client: client, transport: "udp", name: "shop.test", type: "AAAA",
            responseCode: nil, answers: ["AAAA 64:ff9b::c633:640a"], source: "world",
            synthesisedFrom: ["198.51.100.10"], rule: "RFC 6147 §5.1.6", faults: ["delay 300ms", "drop"]),
        DNSQuery(
            time: .milliseconds(50), client: client, transport: "udp", name: "many.test", type: "TXT",
            responseCode: "NOERROR", isTruncated: true, source: "world", rule: "RFC 6147 §5.3.3"),
        DNSQuery(
            time: .milliseconds(60), client: client, transport: "udp", name: nil, type: nil, recordClass: nil,
            flags: [], responseCode: "FORMERR", source: "none", rule: "RFC 1035 §4.1",
            refusal: "not readable as a message"),
    ]

    @Test func `a line says who, what, whence and why`() throws {
        try expectGolden(Self.queries.map { DNSLogText.line($0) + "\n" }.joined(), "dns-log.txt")
    }

    @Test func `a log has the time of day in UTC`() {
        let line = DNSLogText.line(Self.queries[2], at: TimeStamp(nanosecondsSince1970: 1_795_300_295_042_500_000))
        #expect(line.hasPrefix("2026-11-21T22:31:35.042Z tcp [2001:2:0:aab1::100]:40000  gone.test AAAA rd → NXDOMAIN"))
    }
}
