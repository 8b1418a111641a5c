// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Suites
import Topology

extension Suite {
    /// The suite of `ipv6check listen`: a server under test on an IPv6-only network and on dual-stack, with requests by all kinds of
    /// clients that can reach it there.
    /// - Parameters:
    ///   - action: the clients' action.
    ///   - world: the path of a world file; `nil` is the demo world.
    package static func listening(
        _ command: [String], doing action: Probe.Action, world: String?, hostPorts: [HostPort]
    ) -> Suite {
        let ready: Readiness = if case .page(let request) = action { .page(request) } else { .tcp(action.port) }
        let tests: [(name: String, network: Network, origins: [Probe.Origin])] = [
            ("ipv6-only", .nat64, [.ipv6, .ipv4ThroughNAT64]),
            // A server may end at its first client by IPv6.
            ("both", .dualStack, [.ipv4, .ipv6]),
        ]
        return Suite(
            name: "listen", world: world,
            tests: tests.map { name, network, origins in
                var test = SuiteTest(name: name, command: .words(command), networks: [NetworkSchedule(network)])
                test.subject = SuiteServer(
                    name: name, place: .client, command: .words(command),
                    ready: [ready], within: readinessLimit)
                test.subject?.elsewhere = patienceElsewhere
                test.probes = origins.map { Probe($0, action) }
                test.request.hostPorts = hostPorts
                test.timeout = readinessLimit + .seconds(30)
                return test
            })
    }

    /// A Java server takes half a minute on a slow machine.
    private static let readinessLimit = Duration.seconds(60)
    /// A server that listens at another port for so long has opened all of its sockets: the port is a mistake.
    private static let patienceElsewhere = Duration.seconds(15)
}
