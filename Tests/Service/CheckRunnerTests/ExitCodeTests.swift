// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Testing

@testable import CheckRunner

@Suite struct ExitCodeTests {
    @Test func `the exit codes are the ones that the design fixes`() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 124])
    }

    @Test(
        arguments: [
            (.passes, .pass), (.passesHereOnly, .pass), (.flaky, .pass), (.failsHere, .failsOnThisNetwork),
            (.failsHereRunsThere, .failsOnThisNetwork), (.failsUncompared, .failsOnThisNetwork),
            (.failsEverywhere, .failsOnDualStackToo), (.timesOut, .timeout),
        ] as [(Judgement, ExitCode)])
    func `each judgement has its exit code`(_ judgement: Judgement, _ code: ExitCode) {
        #expect(judgement.exitCode == code)
    }
}
