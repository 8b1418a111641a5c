// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Suites

@Suite struct BaselineTests {
    private func dependency(
        _ rule: String = "V6C-001", was: String? = nil, _ test: String = "fetch", _ program: String = "shop",
        _ target: String = "198.51.100.10 tcp/443"
    ) -> Dependency {
        Dependency(rule: rule, was: was, test: test, program: program, target: target)
    }

    @Test func `has what was written before calls were traced, under the name of the test's command`() throws {
        let baseline = try Baseline("V6C-001 sync python3 203.0.113.7 tcp/80\n")
        let dependency = Dependency(
            rule: "V6C-001", test: "sync", program: "shop.py", command: "python3", target: "203.0.113.7 tcp/80")
        #expect(baseline.contains(dependency))
        #expect(baseline.gone(after: [dependency], judged: ["sync"], tests: ["sync"]).isEmpty)
        let other = Dependency(rule: "V6C-001", test: "sync", program: "curl", target: "203.0.113.7 tcp/80")
        #expect(!baseline.contains(other))
    }

    @Test func `what is written is read`() throws {
        var baseline = Baseline()
        baseline.add([dependency(), dependency("V6C-004", "b", "a program %", "-"), dependency()])
        #expect(try Baseline(baseline.text) == baseline)
        #expect(baseline.entries.count == 2)
        #expect(
            baseline.text.split(separator: "\n").dropFirst() == [
                "V6C-001 fetch shop 198.51.100.10 tcp/443", "V6C-004 b a%20program%20%25 -",
            ])
    }

    @Test func `the order of its lines, comments and line ends say nothing`() throws {
        let text = "# a comment\r\n\r\nV6C-001 fetch shop 198.51.100.10 tcp/443\r\n"
        #expect(try Baseline(text).contains(dependency()))
    }

    @Test func `a line that is no entry is named`() {
        #expect(throws: Baseline.Malformed(line: 2, text: "<<<<<<< HEAD")) {
            try Baseline("# ipv6check baseline 1\n<<<<<<< HEAD\n")
        }
    }

    @Test func `an entry of the older rule covers the rule that took over from it`() throws {
        let baseline = try Baseline("V6C-001 fetch shop 198.51.100.10 tcp/443")
        #expect(baseline.contains(dependency("V6C-099", was: "V6C-001")))
        #expect(
            baseline.gone(after: [dependency("V6C-099", was: "V6C-001")], judged: ["fetch"], tests: ["fetch"]).isEmpty)
    }

    @Test func `only what was judged can be gone`() throws {
        let baseline = try Baseline("V6C-001 fetch shop - \nV6C-001 old shop -\nV6C-001 other shop -")
        let gone = baseline.gone(after: [], judged: ["fetch"], tests: ["fetch", "other"])
        #expect(gone.map(\.test) == ["fetch", "old"])
    }
}
