// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import Text
import Topology

/// The requests of clients of the far side to a server under test:
///
///     probe:
///       - { from: ipv6, http: /healthz, expect: { status: 200, body: { contains: ok } } }
///       - { from: ipv6, https: 8443/healthz }
///       - { from: ipv4 }                          # a connection to the port that the server is ready at
///       - { from: ipv4-through-nat64, tcp: 8081 }
///       - { from: ipv6, command: [hurl, --test, smoke.hurl] }
extension SuiteFileReader {
    static let probeKeys = ["from", "http", "https", "tcp", "command", "port", "expect"]
    static let probeExpectationKeys = ["status", "body"]
    private static let probeExample = "{ from: ipv6, http: /healthz }"

    mutating func readProbes(_ node: YAMLNode, of test: SuiteTest) -> [Probe] {
        guard let subject = test.subject else {
            report(
                "probes are for a server: write server: { command: [./shopd], ready: { tcp: 8080 } }", at: node.position
            )
            return []
        }
        let items = items(node)
        if items.isEmpty {
            report(
                "there is no probe in the list: write probe: [\(Self.probeExample)], or take it out", at: node.position)
        }
        return items.compactMap { item in
            guard let probe = readProbe(item, port: subject.port) else { return nil }
            checkOrigin(probe.origin, of: test, at: item.position)
            return probe
        }
    }

    /// A probe that cannot be made in a case would pass without any check.
    private mutating func checkOrigin(_ origin: Probe.Origin, of test: SuiteTest, at position: SourcePosition) {
        for network in test.networks where network.isConstant && !origin.leads(to: network.network) {
            let others = Probe.Origin.allCases.filter { $0.leads(to: network.network) }.map(\.rawValue)
            let places = Network.allCases.filter(origin.leads(to:)).map(\.rawValue)
            let (from, on) = (enumerated(others, conjunction: "or"), enumerated(places, conjunction: "or"))
            report(
                "\(test.name)@\(network.name): no probe from \(origin.rawValue) can be made on \(network.name): \(origin.lack); "
                    + "there it is from \(from), and from \(origin.rawValue) it is for a test on \(on)",
                at: position)
        }
    }

    private mutating func readProbe(_ node: YAMLNode, port: UInt16?) -> Probe? {
        guard let entries = map(node, whatItIs: "a probe", example: Self.probeExample) else { return nil }
        let fields = fields(entries, of: "a probe", named: Self.probeKeys)
        guard let from = fields["from"] else {
            report("a probe needs from: write \(Self.probeExample)", at: node.position)
            return nil
        }
        let origin = choice(from, "from", Probe.Origin.allCases.map { (word: $0.rawValue, $0) })
        let kinds = ["http", "https", "tcp", "command"].filter { fields[$0] != nil }
        if kinds.count > 1 {
            report("a probe has one of http, https, tcp and command, not \(enumerated(kinds))", at: node.position)
            return nil
        }
        guard let action = readAction(fields, port: port, at: node.position), let origin else { return nil }
        var probe = Probe(origin, action)
        if let node = fields["expect"] { readProbeExpectation(node, into: &probe) }
        return probe
    }

    private mutating func readAction(
        _ fields: [String: YAMLNode], port: UInt16?, at position: SourcePosition
    ) -> Probe.Action? {
        let given = fields["port"].map { self.port($0, "port") } ?? port
        for scheme in PageRequest.Scheme.allCases {
            guard let node = fields[scheme.rawValue] else { continue }
            return pageRequest(node, scheme, default: given).map { .page($0) }
        }
        if let node = fields["tcp"] { return self.port(node, "tcp").map { .tcp($0) } }
        guard let given else {
            if fields["port"] == nil {
                report(
                    "the probe has no port: the server is not ready at one, so write port: 8080, for example",
                    at: position)
            }
            return nil
        }
        if let node = fields["command"] { return readCommand(node).map { .command($0.arguments, port: given) } }
        return .tcp(given)
    }

    private mutating func readProbeExpectation(_ node: YAMLNode, into probe: inout Probe) {
        guard let entries = map(node, whatItIs: "expect", example: "{ status: 200 }") else { return }
        let fields = fields(entries, of: "expect", named: Self.probeExpectationKeys)
        if let status = fields["status"] {
            guard case .page = probe.action else {
                return report("only http and https have a status: take it out", at: status.position)
            }
            probe.status = number(status, "status", in: 100...599)
        }
        if let body = fields["body"] {
            if case .tcp = probe.action { return report("a connection has no body: take it out", at: body.position) }
            probe.body = readTexts(body, "body")
        }
    }

    /// Checks the keys that only a server has, and those that a server cannot have.
    mutating func checkServerTest(_ test: SuiteTest, _ fields: [String: YAMLNode], at position: SourcePosition) {
        if fields["server"] == nil { return }
        if let node = fields["import"] {
            report("a server under test reports no tests: take import out", at: node.position)
        }
        if fields["probe"] == nil, test.expectations == Expectations() {
            report("nothing is asked of the server: write probe: [\(Self.probeExample)]", at: position)
        }
        if let network = test.networks.first(where: { !$0.isConstant }) {
            report(
                "a server under test is on one network all the time, and not on \(network)",
                at: fields["networks"]?.position ?? position)
        }
    }
}

extension Probe.Origin {
    /// The reason why it does not lead to the listener.
    fileprivate var lack: String {
        switch self {
        case .ipv6: "the server has no IPv6 address there"
        case .ipv4: "no IPv4 route leads to the server there"
        case .ipv4ThroughNAT64: "there is no NAT64"
        }
    }
}
