// SPDX-License-Identifier: Apache-2.0
import Suites
import Text

/// Servers that run during tests, and a server under test:
///
///     servers:
///       api:
///         in: world                       # the far side, or client: the client's own machine
///         host: shop.test                 # of the world; its addresses lead to the server
///         command: [./api, --port, "8443"]
///         env: { LOG: debug }
///         cwd: backend
///         ready: { tcp: 8443, within: 10s }   # http: 8443/healthz, log: "listening on", file: run/api.pid
///         needs: [database]
extension SuiteFileReader {
    static let subjectKeys = ["command", "env", "cwd", "ready"]
    static let serverKeys = ["in", "host", "needs"] + subjectKeys
    private static let serverExample = "{ in: client, command: [redis-server], ready: { tcp: 6379 } }"
    private static let serverLimit = 100

    /// A server of the file, with the names of those that it needs.
    struct DeclaredServer {
        var server: SuiteServer
        var needs: [YAMLNode]
    }

    mutating func readServers(_ node: YAMLNode) {
        guard let entries = map(node, whatItIs: "servers", example: "{ cache: \(Self.serverExample) }") else { return }
        if entries.count > Self.serverLimit {
            return report("a suite has at most \(Self.serverLimit) servers", at: node.position)
        }
        for entry in entries {
            guard let name = readName(entry.key, of: "a server") else { continue }
            guard let values = map(entry.value, whatItIs: "a server", example: Self.serverExample) else { continue }
            let fields = fields(values, of: "a server", named: Self.serverKeys)
            guard var server = readProgram(fields, name: name, at: entry.key.position) else { continue }
            server.place = readPlace(fields, at: entry.key.position) ?? .client
            servers[name] = DeclaredServer(server: server, needs: fields["needs"].map { items($0) } ?? [])
        }
        // All mistakes in their needs are reported, whether or not a test needs them.
        for name in servers.keys.sorted() {
            var order: [SuiteServer] = []
            for needed in servers[name]?.needs ?? [] { collect(needed, into: &order, above: [name]) }
        }
    }

    private mutating func readPlace(_ fields: [String: YAMLNode], at position: SourcePosition) -> SuiteServer.Place? {
        guard let node = fields["in"] else {
            report("the server does not say where it is: write in: world, with a host, or in: client", at: position)
            return nil
        }
        guard let isInWorld = choice(node, "in", [("world", true), ("client", false)]) else { return nil }
        let host = fields["host"].flatMap { text($0, "host", example: "shop.test") }
        if !isInWorld {
            if let host = fields["host"] {
                report("a server on the client's machine has no host of the world: take it out", at: host.position)
            }
            return .client
        }
        guard let host else {
            if fields["host"] == nil {
                report("the server needs a host of the world: write host: shop.test, for example", at: position)
            }
            return nil
        }
        return .world(host: host)
    }

    mutating func readSubject(_ node: YAMLNode, of test: String) -> SuiteServer? {
        let example = "{ command: [./shopd], ready: { tcp: 8080 } }"
        guard let entries = map(node, whatItIs: "a server", example: example) else { return nil }
        return readProgram(fields(entries, of: "a server", named: Self.subjectKeys), name: test, at: node.position)
    }

    private mutating func readProgram(
        _ fields: [String: YAMLNode], name: String, at position: SourcePosition
    ) -> SuiteServer? {
        for needed in ["command", "ready"] where fields[needed] == nil {
            report("a server needs \(needed): write \(Self.serverExample)", at: position)
        }
        guard let commandNode = fields["command"], let readyNode = fields["ready"] else { return nil }
        let command = readCommand(commandNode)
        var server = SuiteServer(name: name, place: .client, command: command ?? .words([]), ready: [])
        if let node = fields["env"] { server.environment = readEnvironment(node) }
        server.folder = fields["cwd"].flatMap { text($0, "cwd", example: "backend") }
        let (ready, within) = readReady(readyNode)
        server.ready = ready
        server.within = within ?? server.within
        return command == nil ? nil : server
    }

    // MARK: - Servers and their needs

    /// The servers with these names, each after those that it needs.
    mutating func readNeeds(_ node: YAMLNode) -> [SuiteServer] {
        var order: [SuiteServer] = []
        for item in items(node) { collect(item, into: &order, above: []) }
        return order
    }

    private mutating func collect(_ node: YAMLNode, into order: inout [SuiteServer], above: [String]) {
        if servers.isEmpty {
            return report(
                "there are no servers: write servers: { cache: \(Self.serverExample) } for the suite", at: node.position
            )
        }
        guard let name = choice(node, "a server", servers.keys.sorted().map { (word: $0, $0) }),
            let declared = servers[name]
        else { return }
        if above.contains(name) {
            return report(
                "\(enumerated(above + [name])) need each other: none could start first", at: node.position)
        }
        if order.contains(where: { $0.name == name }) { return }
        for needed in declared.needs { collect(needed, into: &order, above: above + [name]) }
        if !order.contains(where: { $0.name == name }) { order.append(declared.server) }
    }
}
