// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Suites
import Topology
import Wire

/// Runs and tests for the judgement, short to write.
enum Sample {
    static let server = IPv4Address(198, 51, 100, 10)
    static let other = IPv4Address(203, 0, 113, 5)

    static func test(_ known: [KnownFailure] = [], network: Network = .nat64) -> SuiteTest {
        SuiteTest(
            name: "fetch", command: .words(["/opt/shop", "fetch"]), networks: [NetworkSchedule(network)], known: known)
    }

    /// A run that ends so, and goes to these IPv4 addresses.
    static func attempt(
        _ network: Network = .nat64, _ end: ExitOutcome = .exited(status: 0), to addresses: [IPv4Address] = [],
        sends: Bool = true, survivors: SurvivingProcesses = SurvivingProcesses(),
        expecting expectations: Expectations = Expectations(), printing output: String = ""
    ) -> Attempt {
        let question = RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"], rule: .noAAAA)
        var run = RunEvidence(
            network: network, end: end, duration: .milliseconds(10), questions: sends ? [question] : [],
            flows: addresses.map { Flow(.tcp, .ipv4($0), 443, .direct, attempts: 1, accepted: 1, bytesReceived: 9) })
        run.survivors = survivors
        return Attempt(run, output: ClientOutput(output: CapturedText(output)), expectations: expectations)
    }

    /// Fails here twice, and works on dual-stack, where it goes to these addresses: V6C-001.
    static func literal(_ addresses: [IPv4Address] = [server]) -> CaseAttempts {
        CaseAttempts(
            first: attempt(.nat64, .exited(status: 7), sends: false),
            again: attempt(.nat64, .exited(status: 7), sends: false),
            control: attempt(.dualStack, to: addresses, sends: false))
    }

    static let today = Day("2026-11-22")!
}

extension CaseJudgement {
    /// The judgement of the test's first case.
    init(_ test: SuiteTest, _ attempts: CaseAttempts, baseline: Baseline?, today: Day) {
        self.init(
            SuiteCase(test: test, network: test.networks[0]), attempts, baseline: baseline, today: today)
    }
}
