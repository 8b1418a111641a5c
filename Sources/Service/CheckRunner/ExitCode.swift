// SPDX-License-Identifier: Apache-2.0
package import Diagnosis

/// The exit codes of `ipv6check`, named only here.
package enum ExitCode: Int32, Sendable, CaseIterable {
    /// The client works on the network.
    case pass = 0
    /// The client fails on this network and passes on dual-stack (or was not compared), or has a finding that `--fail-on` names.
    case failsOnThisNetwork = 1
    /// A usage or configuration error.
    case usage = 2
    /// The client fails on dual-stack too.
    case failsOnDualStackToo = 3
    case nothingToRun = 4
    /// This machine cannot make the network, or the simulator hindered the client.
    case machineCannot = 5
    case timeout = 124

    /// A line for `--help` and the documentation.
    package var meaning: String {
        switch self {
        case .pass: "the client works on the network, or failed once and worked once"
        case .failsOnThisNetwork:
            "the client fails on this network and works on dual-stack, or was not compared; or --fail-on"
        case .usage: "usage or configuration error"
        case .failsOnDualStackToo: "the client fails on dual-stack too"
        case .nothingToRun: "no command given"
        case .machineCannot:
            "this machine cannot make the network (see ipv6check doctor), or the simulator had no room: not judged"
        case .timeout: "the client did not end within --timeout"
        }
    }
}

extension Verdict {
    /// - Parameter level: the lowest severity of a finding that fails even a client that works; `nil` is none.
    package func exitCode(failingOn level: Severity?) -> ExitCode {
        let code = judgement.exitCode
        guard code == .pass, let level else { return code }
        let levels = Severity.allCases.prefix { $0 != level } + [level]
        return findings.contains { levels.contains($0.severity) } ? .failsOnThisNetwork : .pass
    }
}

extension Judgement {
    package var exitCode: ExitCode {
        switch self {
        case .passes, .passesHereOnly, .flaky: .pass
        case .failsHere, .failsHereRunsThere, .failsUncompared: .failsOnThisNetwork
        case .failsEverywhere: .failsOnDualStackToo
        case .timesOut: .timeout
        case .notJudged: .machineCannot
        }
    }
}
