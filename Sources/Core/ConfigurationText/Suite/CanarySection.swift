// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import Topology

/// A program that fetches the URL that it is given, run with one URL after another that it must refuse (`CanarySpelling`):
///
///     - { name: preview, command: [./preview, "{url}"], canaries: true }
///     - name: previewd
///       server: { command: [./previewd], ready: { tcp: 8080 } }
///       probe: { from: ipv6, http: "/?url={url}" }
///       canaries: true
extension SuiteFileReader {
    /// The keys that the canaries themselves determine.
    private static let otherKeys = ["networks", "import", "expect"]

    /// The tests for the canaries: one for each spelling; or the test itself, without canaries.
    mutating func readCanaries(_ node: YAMLNode, of test: SuiteTest, _ fields: [String: YAMLNode]) -> [SuiteTest] {
        guard flag(node, "canaries") == true else { return [test] }
        for key in Self.otherKeys {
            guard let other = fields[key] else { continue }
            report("a test with canaries has no \(key): take it out", at: other.position)
        }
        if test.request.hostPorts.contains(where: { $0.port == 80 }) {
            report("a canary listens at port 80: host-ports cannot have it", at: node.position)
        }
        if !test.takesURL {
            report(
                test.subject == nil
                    ? "the command gets no URL: write \(SuiteTest.urlPlaceholder) where it goes, in command or env, or have it read $\(SuiteTest.urlVariable)"
                    : "the server gets no URL: write \(SuiteTest.urlPlaceholder) where it goes, in the path of a probe",
                at: (fields["command"] ?? fields["probe"])?.position ?? node.position)
        }
        return test.canaryTests
    }
}
