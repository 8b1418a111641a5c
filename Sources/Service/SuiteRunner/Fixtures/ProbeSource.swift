// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import ConfigurationText
import Suites
import Wire

extension World {
    /// The host of the world from which a probe is sent; `nil` if none has an address of that family.
    func source(of origin: Probe.Origin) -> IPAddress? {
        origin == .ipv6 ? ipv6Addresses.first.map { .ipv6($0) } : ipv4Addresses.first.map { .ipv4($0) }
    }
}

extension Probe.Origin {
    /// Family of the host from which a probe is sent.
    var family: String { self == .ipv6 ? "IPv6" : "IPv4" }
}

extension SuiteSource {
    /// Checks that every probe has a host to be sent from: otherwise the harness would fail, and the listener be blamed.
    func checkProbes(in world: World) throws(CheckFailure) {
        let named = suite.world.map { " (\($0))" } ?? ""
        let problems = suite.cases.flatMap { element in
            element.test.probes.map(\.origin).filter { world.source(of: $0) == nil }.map { origin in
                SuiteFileError.Problem(
                    position: nil,
                    message:
                        "\(element.id): no probe from \(origin.rawValue) can be made: the world\(named) has no host with "
                        + "\(origin.family) from which to ask; give one of its hosts an \(origin.family) address")
            }
        }
        if !problems.isEmpty { throw CheckFailure("\(SuiteFileError(file: path, problems: problems))", .usage) }
    }
}
