// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Wire
import Diagnosis
import Evidence
import Reports
import Testing

@Suite("Why there is no address") struct NoAddressReasonTests {
    private static let cause = NoAnswerReason.notGlobal([IPv4Address(10, 1, 2, 3)])
    private static let reason = "10.1.2.3 is not global, and 64:ff9b::/96 must not carry it (RFC 6052 §3.1)"

    private static let query = QueryRecord("private.test", .aaaa, rule: .unmapped, reason: cause)

    private static let report: RunReport = {
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .zero)
        run.seen.questions = [RepeatedQuery(query)!]
        run.seen.queries = QueryExcerpt([query])
        return RunReport(command: ["true"], pref64: "64:ff9b::/96", run: run, control: nil)
    }()

    @Test func `is in the DNS log`() {
        #expect(DNSLogText.line(Self.query).contains("world, RFC 6147 §5.2, \(Self.reason)"))
    }

    @Test func `is in the report's row of the question`() {
        let text = TerminalReport.render(Self.report, style: TerminalStyle(isColoured: false), verbose: false)
        #expect(text.contains("private.test AAAA → "))
        #expect(text.contains(Self.reason))
    }

    @Test func `is in JSON, of the question and of the query`() throws {
        let json = try String(decoding: JSONReport(Self.report, exitCode: 1).encoded(), as: UTF8.self)
        #expect(json.components(of: "\"reason\" : \"\(Self.reason)") == 2)
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
