// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import Foundation
import Suites
import Testing
import Wire

@testable import Reports

@Suite struct TracedReportTests {
    /// A script whose child connects to a literal of a file.
    private static let calls: CallEvidence = {
        var call = TracedCall(
            .connect, to: "198.51.100.31", 80, at: "connect_server agent.c:12", "main agent.c:40", program: 1,
            time: .milliseconds(20))
        call.origin = AddressOrigin(.file(path: "agent.conf", line: 3))
        var calls = CallEvidence(
            [
                TracedCall(.socket, .socket(.ipv4Stream), program: 1, time: .milliseconds(10)), call,
                TracedCall(.openat, .file("/etc/none"), .failed(.notFound), program: 1),
                TracedCall(.ioctl, .request(0x8915, interface: "<b>eth0\u{1b}"), .failed(.addressNotAvailable)),
            ],
            by: [
                TracedProgram(
                    process: 2, executable: "/bin/sh", arguments: ["./build.sh"], workingDirectory: "/app",
                    end: .milliseconds(40)),
                TracedProgram(
                    process: 3, parent: 0, executable: "/app/agent", arguments: ["./agent", "</svg><script>"],
                    workingDirectory: "/app", start: .milliseconds(5), end: .milliseconds(30)),
            ])
        calls.gaps = ["A set-user-ID program was not traced."]
        return calls
    }()

    private static let report: RunReport = {
        let first = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .milliseconds(40))
        var again = first
        again.calls = calls
        let flow = Flow(.tcp, "198.51.100.31", 80, .direct, attempts: 1, accepted: 1, bytesSent: 5, bytesReceived: 5)
        let control = RunEvidence(
            network: .dualStack, end: .exited(status: 0), duration: .milliseconds(50), flows: [flow])
        let runs = Runs(first: first, again: again, control: control)
        return RunReport(
            command: ["./build.sh"], pref64: "64:ff9b::/96", runs: runs,
            verdict: Verdict(runs, command: ["./build.sh"]))
    }()

    private func text(verbose: Bool = false) -> String {
        TerminalReport.render(Self.report, style: TerminalStyle(isColoured: false), verbose: verbose)
    }

    @Test func `a call is told with its result, its place, who made it and where its address is from`() {
        #expect(
            text().contains(
                "connect(198.51.100.31 port 80, addrlen 16) → ENETUNREACH in connect_server (agent.c:12)"
                    + "  by agent, started by sh  from agent.conf:3\n"))
        #expect(!text().contains("socket("))
        #expect(!text().contains("/etc/none"))
        #expect(text().contains("A set-user-ID program was not traced."))
    }

    @Test func `a verbose report has every call, and the callers`() {
        let text = text(verbose: true)
        #expect(text.contains("socket(AF_INET, SOCK_STREAM) → 0"))
        #expect(text.contains("called by main (agent.c:40)"))
    }

    @Test func `a finding says where its address is from`() {
        #expect(text().contains("198.51.100.31"))
        #expect(text().contains("agent.conf:3"))
        #expect(!text().contains("\u{1b}"))
    }

    @Test func `programs, calls, frames and origins are in the JSON`() throws {
        let data = try JSONReport(Self.report, exitCode: 1).encoded()
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let runs = try #require(object["runs"] as? [[String: Any]])
        #expect(runs[0]["trace"] == nil)
        let trace = try #require(runs[1]["trace"] as? [String: Any])
        let programs = try #require(trace["programs"] as? [[String: Any]])
        #expect(programs[1]["parent"] as? Int == 0)
        let call = try #require((trace["calls"] as? [[String: Any]])?[1])
        #expect(call["error"] as? String == "ENETUNREACH")
        #expect(call["time"] as? Double == 0.02)
        let frames = try #require(call["frames"] as? [[String: Any]])
        #expect(frames.map { $0["line"] as? Int } == [12, 40])
        let origin = try #require(call["origin"] as? [String: Any])
        #expect(origin["kind"] as? String == "file")
        #expect(origin["text"] as? String == "agent.conf:3")
    }

    private func page(pages: (String) -> String? = { _ in nil }, source: (String, Int) -> String? = { _, _ in nil })
        -> String
    {
        HTMLRunReport.render(Self.report, pages: pages, source: source)
    }

    @Test func `a page has both runs side by side, and nothing of the client's is markup`() throws {
        let page = page(source: { _, _ in "</code><script>alert(1)</script>" })
        #expect(page.contains("<h3>nat64 <span class=\"bad\">exit 1</span>"))
        #expect(page.contains("<h3>dual-stack <span class=\"good\">exit 0</span>"))
        #expect(page.contains("connect_server (agent.c:12)"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("<b>eth0"))
        #expect(!page.contains("\u{1b}"))
        // Two rulers, two calls that failed, two processes; the flow of the control run has no times.
        #expect(page.count(of: "<svg") == 6)
    }

    @Test func `a page marks the failed call that a finding is about, at its time`() {
        let page = page()
        #expect(page.count(of: "<li class=\"cause\">") == 1)
        #expect(page.contains("<a href=\"#V6C-001\">V6C-001</a></span><span class=\"dim\">20 ms</span>"))
        // In each other row of the run: at 20 ms of 50.
        #expect(page.count(of: "<line x1=\"40.0%\"") == 3)
    }

    @Test func `a call to an address behind the NAT64 is marked as its connection is`() {
        let flow = Flow(.tcp, "64:ff9b::c633:641f", 80, .translated(IPv4Address(198, 51, 100, 31)), attempts: 3)
        var run = RunEvidence(network: .nat64, end: .timedOut(after: .seconds(3)), duration: .seconds(3), flows: [flow])
        run.calls = CallEvidence(
            [TracedCall(.connect, to: "64:ff9b::c633:641f", 80, on: .ipv6Stream, .unknown, time: .milliseconds(20))])
        let steps = timeLine(run, findings: Verdict(Runs(first: run), command: ["./agent"]).findings)
        #expect(steps.filter { $0.kind != "process" }.map(\.rules) == [["V6C-005"], ["V6C-005"]])
    }

    @Test func `a page says each cause once, with its source line and its fix`() {
        let page = page(source: { file, line in "\(file) line \(line)" == "agent.c line 12" ? "connect(fd, …);" : nil })
        #expect(page.count(of: "ENETUNREACH in connect_server (agent.c:12)") == 2)
        #expect(page.contains("<span class=\"dim\">agent.c:12</span><code>connect(fd, …);</code>"))
        #expect(page.count(of: "connect(fd, …);") == 1)
        #expect(page.count(of: "<b>Fix: </b>") == 1)
        #expect(page.count(of: "<h3 id=\"V6C-001\">") == 1)
        #expect(page.count(of: "fails on nat64") == 1)
    }

    @Test func `of many causes of a rule a page shows the first and folds the others, and quotes a line once`() {
        var report = Self.report
        let calls = (1...60).map { number in
            TracedCall(.connect, to: .ipv4(IPv4Address(198, 51, 100, UInt8(number))), 80, at: "main agent.c:12")
        }
        report.runs.again?.calls = CallEvidence(calls)
        let flows = (1...60).map { number in
            Flow(.tcp, .ipv4(IPv4Address(198, 51, 100, UInt8(number))), 80, .direct, attempts: 1, accepted: 1)
        }
        report.runs.control?.seen.flows = flows
        report.verdict = Verdict(report.runs, command: report.command)
        let page = HTMLRunReport.render(report, pages: { _ in nil }, source: { _, _ in "dial();" })
        #expect(page.contains("<details><summary>46 more</summary>"))
        #expect(page.contains("<p>And 10 more.</p>"))
        #expect(page.count(of: "dial();") == 1)
    }

    @Test func `the page of a rule is in the page, and the finding leads to it`() {
        let page = page(pages: {
            $0 == "V6C-001" ? "# V6C-001: connects\n\nSee `x` & [RFC](https://rfc.test/).\n" : nil
        })
        #expect(page.contains("<a href=\"#rule-V6C-001\">V6C-001</a></span> It connects"))
        #expect(page.contains("<summary>V6C-001: connects</summary><div id=\"rule-V6C-001\" class=\"target\">"))
        #expect(page.contains("<p>See <code>x</code> &amp; <a href=\"https://rfc.test/\">RFC</a>.</p>"))
        #expect(!self.page().contains("rule-V6C-001"))
    }

    @Test func `a path below the directory where the client began is named from there`() {
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .zero)
        run.calls = Self.calls
        run.calls?.calls[1].frames[0].file = "/app/src/agent.c"
        run.calls?.calls[1].frames[1].file = "/application/agent.c"
        run.calls?.calls[1].origin = AddressOrigin(.data(module: "/app/agent"))
        run.namePathsFromWorkingDirectory()
        #expect(run.calls?.calls[1].frames.map(\.file) == ["src/agent.c", "/application/agent.c"])
        #expect(run.calls?.calls[1].origin?.place == .data(module: "agent"))
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
