// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Text

extension RunReport {
    /// The explanation of a failure without a known cause; `nil` if it has one.
    var unexplained: String? { verdict.unexplained.map { phrase($0, run.network.rawValue) } }

    /// The help of Apple's getaddrinfo for a client that fails with the machine's own; `nil` if there is none, or it was not tried.
    var synthesisNote: String? {
        verdict.worksBySynthesis ? "It works on Apple's systems, by literal synthesis (--getaddrinfo apple)." : nil
    }
}

/// - Parameter network: the one on which the client fails.
private func phrase(_ unexplained: Unexplained, _ network: String) -> String {
    switch unexplained {
    case .noCause(isTriedLater: false): "No cause was found."
    case .noCause(isTriedLater: true):
        "No cause was found. It fails on \(network) after dual-stack, too: time is not the cause."
    case .helpedByControl(let missing):
        "No cause was found. After dual-stack it passes on \(network) by what it kept from there, such as a cache"
            + (missing.isEmpty ? "." : ": it does not go to \(printable(listed(missing.map(text)))) any more.")
    case .fromMemory:
        "No cause was found. It passed the second time without sending anything: something that it keeps from run to run, such as a cache "
            + "or a lock, may be why."
    }
}

private func text(_ host: Observation.Host) -> String {
    switch host {
    case .name(let name): name.withoutFinalDot
    case .address(let address): "\(address)"
    }
}
