// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import Topology

/// A failure that is expected:
///
///     fails:
///       - on: [nat64]
///         reason: the AAAA record is wrong, and nothing else leads there
extension SuiteFileReader {
    private static let failsExample = "{ on: [nat64], reason: why }"

    mutating func readFails(_ node: YAMLNode, networks: [NetworkSchedule]) -> ExpectedFailure? {
        guard let entries = map(node, whatItIs: "an expected failure", example: Self.failsExample) else { return nil }
        let fields = fields(entries, of: "an expected failure", named: ["on", "reason"])
        guard let on = fields["on"], let reason = fields["reason"] else {
            report("an expected failure needs on and reason: write \(Self.failsExample)", at: node.position)
            return nil
        }
        let here = readNetworks(on)
        for network in here where !networks.contains(network) {
            report("the test does not run on \(network)", at: on.position)
        }
        if here.contains(where: { $0.network == .dualStack }) {
            report(
                "a failure is compared with dual-stack: a test that is to fail there as well shows nothing",
                at: on.position)
        }
        return text(reason, "reason", example: "the AAAA record is wrong").map { ExpectedFailure(on: here, reason: $0) }
    }
}
