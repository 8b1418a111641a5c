// SPDX-License-Identifier: Apache-2.0
package import Suites

/// The results of a suite as JUnit XML, as Jenkins and GitLab read it: a suite for each network, with a case for each test. Class name and
/// name together are unique.
///
/// Jenkins' xUnit plugin refuses a file with an attribute that its schema does not have (fixtures/reports/schemas/README.md): a case has
/// no file and line, so the text of a failure names them.
package enum JUnitReport {
    package static func render(_ results: SuiteResults) -> String {
        var writer = XMLWriter()
        let name = results.header.suite
        var networks: [String] = []
        for result in results.cases where !networks.contains(result.network) { networks.append(result.network) }
        writer.element("testsuites", [("name", name)] + totals(results.cases) + time(results.seconds)) { writer in
            for network in networks {
                let cases = results.cases.filter { $0.network == network }
                let attributes: [(StaticString, String)] = [
                    ("name", "\(name)@\(network)"), ("file", results.header.file), ("hostname", results.header.host),
                    ("timestamp", results.header.timestamp),
                ]
                let sum = cases.map(\.seconds).reduce(0, +)
                let skipped = ("skipped", "\(kinds(cases).count { $0 == .skipped })") as (StaticString, String)
                writer.element("testsuite", attributes + totals(cases) + [skipped] + time(sum)) { writer in
                    for result in cases {
                        write(result, results.header, to: &writer)
                        for inner in result.inner { write(inner, of: result, results.header, to: &writer) }
                    }
                }
            }
        }
        return writer.text
    }

    private static func totals(_ cases: [CaseResult]) -> [(StaticString, String)] {
        let kinds = kinds(cases)
        return [
            ("tests", "\(kinds.count)"), ("failures", "\(kinds.count { $0 == .failure })"),
            ("errors", "\(kinds.count { $0 == .error })"),
        ]
    }

    private static func time(_ seconds: Double) -> [(StaticString, String)] { [("time", decimal(seconds))] }

    private static func kinds(_ cases: [CaseResult]) -> [Kind] {
        cases.flatMap { [kind($0)] + $0.inner.map { kind($0.outcome) } }
    }

    private enum Kind {
        case passed, failure, error, skipped
    }

    private static func kind(_ result: CaseResult) -> Kind {
        switch result.outcome {
        case .leak where result.isRed, .flaky where result.isRed: .failure
        case .fixed where !result.isRed: .passed
        default: kind(result.outcome)
        }
    }

    private static func kind(_ outcome: CaseOutcome) -> Kind {
        switch outcome {
        case .pass, .leak, .flaky: .passed
        case .fail, .timeout, .newDependency, .fixed, .expired: .failure
        case .broken, .error, .cancelled: .error
        case .known, .skip: .skipped
        }
    }

    private static func write(_ result: CaseResult, _ header: ResultHeader, to writer: inout XMLWriter) {
        let attributes: [(StaticString, String)] = [
            ("classname", "\(header.suite).\(result.network)"), ("name", result.test),
            ("time", decimal(result.seconds)),
        ]
        writer.element("testcase", attributes) { writer in
            let message = result.message
            switch kind(result) {
            case .passed where result.outcome == .flaky:
                writer.element("flakyFailure", [("message", message), ("type", "flaky")], text: result.report)
            case .passed where result.outcome == .leak: writer.element("system-err", [], text: "leak: \(message)\n")
            case .passed: break
            case .failure:
                let text = places(result, header) + result.report
                writer.element("failure", [("message", message), ("type", type(result))], text: text)
            case .error:
                let type = result.outcome == .broken ? "fails-everywhere" : result.outcome.rawValue
                let text = places(result, header) + result.report
                writer.element("error", [("message", message), ("type", type)], text: text)
            case .skipped:
                let prefix = result.outcome == .known ? "known: " : ""
                writer.element("skipped", [("message", prefix + message)])
            }
            if result.isRed {
                if !result.output.isEmpty { writer.element("system-out", [], text: result.output) }
                if !result.errors.isEmpty { writer.element("system-err", [], text: result.errors) }
            }
        }
    }

    /// The lines to open: `test at ipv6check.yaml:6`, and `V6C-001 at agent.c:12 in connect_server, the address from agent.conf:3`.
    private static func places(_ result: CaseResult, _ header: ResultHeader) -> String {
        "test at \(header.file):\(max(1, result.line))\n"
            + result.findings.map { finding in
                let call = finding.location.map { place in
                    " at \(place.text)" + (place.function.map { " in \($0)" } ?? "")
                }
                let origin = finding.origin.map { ", the address \($0.source)" }
                guard call != nil || origin != nil else { return "" }
                let more = GateFinding(finding, of: result).explanation(below: nil).map { " (\($0))" } ?? ""
                return "\(finding.rule)\(call ?? "")\(origin ?? "")\(more)\n"
            }.joined()
    }

    /// A test of the client's test runner.
    private static func write(
        _ inner: CaseResult.Inner, of result: CaseResult, _ header: ResultHeader, to writer: inout XMLWriter
    ) {
        let group = inner.group.isEmpty ? "" : ".\(inner.group)"
        let attributes: [(StaticString, String)] = [
            ("classname", "\(header.suite).\(result.network).\(result.test)\(group)"), ("name", inner.name),
            ("time", decimal(inner.seconds)),
        ]
        let message = ("message", inner.message) as (StaticString, String)
        switch kind(inner.outcome) {
        case .passed where inner.outcome == .flaky:
            writer.element("testcase", attributes) {
                $0.element("flakyFailure", [message, ("type", "flaky")], text: inner.detail)
            }
        case .passed: writer.element("testcase", attributes)
        case .failure:
            writer.element("testcase", attributes) {
                $0.element("failure", [message, ("type", result.rule ?? "fail")], text: inner.detail)
            }
        case .error:
            writer.element("testcase", attributes) {
                $0.element("error", [message, ("type", "fails-everywhere")], text: inner.detail)
            }
        case .skipped: writer.element("testcase", attributes) { $0.element("skipped", [message]) }
        }
    }

    private static func type(_ result: CaseResult) -> String {
        switch result.outcome {
        case .fixed, .expired, .flaky, .leak: result.outcome.rawValue
        default: result.rule ?? result.outcome.rawValue
        }
    }
}
