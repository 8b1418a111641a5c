// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import Suites
import Testing
import Text
import Topology

@testable import Reports

@Suite("What buyers ask, and what a suite says to it")
struct ConformanceStatementTests {
    private static func element(
        _ name: String, on network: Network, tags: [String] = [], fails: String? = nil
    ) -> SuiteCase {
        var test = SuiteTest(name: name, line: 1, command: .words(["./shop"]), tags: tags)
        if let fails { test.fails = [ExpectedFailure(on: [NetworkSchedule(network)], reason: fails)] }
        return SuiteCase(test: test, network: NetworkSchedule(network))
    }

    private static func statement(_ outcomes: [(SuiteCase, CaseOutcome)]) -> ConformanceStatement {
        let header = ResultHeader(
            suite: "shop", file: "ipv6check.yaml", digest: "sha256:0", shard: nil,
            timestamp: "2026-11-29T02:04:16.000Z", host: "runner-7", cases: outcomes.map(\.0))
        return ConformanceStatement(
            SuiteResults(
                header: header,
                cases: outcomes.map {
                    CaseResult(
                        $0, $1, message: $1 == .pass ? "" : $1 == .broken ? "fails on dual-stack too: why" : "why")
                }, seconds: 1))
    }

    @Test func `every form says the same of every outcome`() throws {
        let statement = ConformanceStatement(SuiteReportTests.results)
        for (form, name) in [(.markdown, "md"), (.html, "html"), (.json, "json")]
            as [(ConformanceStatement.Form, String)]
        {
            let text = try statement.encoded(as: form)
            try expectGolden(
                text.replacing("ipv6check \(ProgramVersion.current)", with: "ipv6check VERSION"), "statement.\(name)")
        }
    }

    @Test func `all that was run on an IPv6-only network works: yes, in that many cases`() {
        let statement = Self.statement([
            (Self.element("fetch", on: .nat64, tags: ["lifecycle-use"]), .pass),
            (Self.element("fetch", on: .strict, tags: ["lifecycle-use"]), .flaky),
            (Self.element("fetch", on: .dualStack, tags: ["lifecycle-use"]), .fail),
        ])
        #expect(statement.answers[0].answer == "Yes, in 2 of 2 cases on nat64 and strict.")
        #expect(statement.answers[1].because.count == 2)
        #expect(statement.answers[2].answer == "None was seen.")
        #expect(statement.areas.map(\.result)[..<2] == ["not tested", "1 of 3 not as expected"])
    }

    @Test func `a known failure is a failure, and one that should be is none`() {
        let statement = Self.statement([
            (Self.element("sync", on: .nat64), .known), (Self.element("wrong", on: .strict, fails: "no A"), .pass),
        ])
        #expect(statement.answers[0].answer == "Not in 1 of 1 case on nat64.")
        #expect(statement.answers[0].because == ["sync on nat64 fails, known: why"])
        #expect(statement.answers[2].because == ["sync: it fails there, and no rule says why"])
        #expect(statement.rows.map(\.result) == ["fails, known", "fails as it should"])
    }

    @Test func `what fails on dual-stack, too, says nothing of IPv6`() {
        let broken = (Self.element("load", on: .nat64), CaseOutcome.broken)
        let statement = Self.statement([(Self.element("fetch", on: .nat64), .pass), broken])
        #expect(statement.answers[0].answer == "Yes, in 1 of 2 cases on nat64; 1 fails on dual-stack too.")
        #expect(statement.answers[0].because.isEmpty)
        #expect(statement.answers[1].because == ["load on nat64 fails on dual-stack too: why"])
        #expect(Self.statement([broken]).answers[0].answer == "Not shown on nat64; 1 fails on dual-stack too.")
    }

    @Test func `what was not run is not said to work`() {
        let statement = Self.statement([
            (Self.element("fetch", on: .nat64, tags: ["lifecycle-update"]), .skip),
            (Self.element("fetch", on: .strict), .error), (Self.element("fetch", on: .dualStack), .pass),
        ])
        #expect(statement.answers[0].answer.hasPrefix("Not tested"))
        #expect(statement.answers[2].answer.hasPrefix("Not tested"))
        #expect(statement.answers[3].because == ["fetch on nat64 not run: why", "fetch on strict not run: why"])
        #expect(statement.areas[3].result == "not run")
        let nothing = Self.statement([(Self.element("fetch", on: .nat64), .cancelled)])
        #expect(nothing.answers.map(\.answer)[1...] == ["Not tested.", nothing.answers[2].answer, "No case was run."])
    }

    @Test(arguments: [("a.json", "json"), ("a.html", "html"), ("a.md", "markdown"), ("-", "markdown")])
    func `the file's name says the form`(path: String, form: String) {
        #expect("\(ConformanceStatement.Form(path: path))" == form)
    }
}
