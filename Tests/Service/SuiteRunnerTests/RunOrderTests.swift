// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Evidence
import FoundationEssentials
import Suites
import Testing
import Topology
import Wire

@testable import SuiteRunner

@Suite struct RunOrderTests {
    /// Nothing in it is the default.
    func everythingElse() throws -> NetworkRequest {
        var request = NetworkRequest()
        request.getaddrinfo = .apple
        request.urlLoading = .apple
        request.conditions = ["lte", "nat64:loss=3%"]
        request.link = try LinkSetup("ra,managed")
        request.clientLink = try ClientLink("2001:db8:1:2::/64")
        request.interface = try InterfaceName("en0")
        request.hostPorts = [try HostPort("5432:15432")]
        request.proxies = .keep
        request.caches = .keep
        request.nat64 = ["forgets=30s"]
        return request
    }

    @Test func `evidence arrives as it was sent`() throws {
        var run = RunEvidence(network: .nat64, end: .timedOut(after: .milliseconds(1500)), duration: .seconds(2))
        run.lookups = [Lookup(.getaddrinfo, "198.51.100.10")]
        run.lookups[0].hints = LookupHints(family: 2, socktype: 1, protocol: 0, flags: 4)
        run.lookups[0].outcome = .literal
        run.lookups[0].site = CallSite(program: "shop", module: "libc", offset: 7)
        run.uncovered = [UncoveredProgram(path: "/bin/x", obstacle: .otherLoader("musl"))]
        run.localConnections = [LocalConnection(path: "/run/docker.sock", program: "sh")]
        run.survivors = SurvivingProcesses(processes: [.init(process: 7, name: "sleep")], more: 1)
        run.profile = .appleIOS9
        var server = ServerEvidence()
        server.listeners = [Listener(.ipv6(IPv6Address("::")!), port: 8080, isIPv6Only: true)]
        server.probes = [
            ProbeAnswer(
                Probe(.ipv6, .page(PageRequest(.https, 8080, path: "/"))), from: .ipv6, .http(status: 200, body: "ok")),
            ProbeAnswer(Probe(.ipv4, .command(["curl"], port: 1)), from: .ipv4, .refused),
        ]
        for end in [ExitOutcome.exited(status: 3), .killed(signal: 9), run.end] {
            run.end = end
            let answer = RunAnswer.ran(
                FinishedRun(evidence: run, links: LinkConditions(), prefixes: ["64:ff9b::/96"], notes: ["a note"]),
                server: server)
            #expect(try JSONDecoder().decode(RunAnswer.self, from: JSONEncoder().encode(answer)) == answer)
        }
    }

    @Test func `an order arrives as it was sent`() throws {
        var order = RunOrder(
            command: ["./shop", "a b", ""], folder: "/", network: .dualStack, timeout: .seconds(60), grace: .zero,
            request: try everythingElse(), world: "w.yaml", simulator: "own")
        let server = FixtureOrder.Server(
            name: "api", command: ["./api"], environment: ["A": "b"], folder: "/", log: "/l",
            ready: [.tcp(1), .page(PageRequest(.http, 2, path: "/")), .log("x"), .file("y")], within: .milliseconds(300)
        )
        order.worldFixtures = FixtureOrder(servers: [server], isInWorld: true)
        order.probes = [Probe(.ipv4ThroughNAT64, .tcp(8080), body: [.contains("x")])]
        #expect(try JSONDecoder().decode(RunOrder.self, from: JSONEncoder().encode(order)) == order)
        order.network = try NetworkSchedule("dual-stack 5s, none 1s, nat64")
        #expect(try JSONDecoder().decode(RunOrder.self, from: JSONEncoder().encode(order)) == order)
    }
}
