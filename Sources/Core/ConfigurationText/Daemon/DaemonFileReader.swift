// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Topology

/// Reads the tree of a daemon's configuration file, and continues after a mistake to find the others.
///
///     version: 1
///     world: shop.yaml          # or demo
///     prefix: 64:ff9b::/96
///     dns64:                    # as in a world file, which it replaces
///     nat64:                    # `NAT64SectionReader.swift`
///     uplink: host              # `UplinkSection.swift`
///     lan: wlan0                # `LANSection.swift`
///     clients: { socket: /run/nat64sim/attach.sock, most: 32, group: testers }
///     control: { socket: /run/nat64sim/control.sock }
///     log: { format: json, level: debug }
///
/// `docs/daemon-configuration.md` explains every key.
struct DaemonFileReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []
    var configuration = DaemonConfiguration()
    private let files: NamedFiles

    static let sections = ["world", "prefix", "dns64", "nat64", "uplink", "lan", "clients", "control", "log"]

    init(files: NamedFiles) {
        self.files = files
    }

    mutating func read(_ root: YAMLNode?) {
        guard
            let fields = versionedFields(
                root, of: "a configuration file", named: Self.sections,
                contents: "what is to be other than usual, such as world: shop.yaml")
        else { return }
        if let node = fields["world"] { readWorld(node) }
        if let node = fields["uplink"], let uplink = readUplink(node) {
            configuration.use(uplink, keepsWorld: fields["world"] != nil)
        }
        if let node = fields["dns64"] {
            var reader = DNS64SectionReader()
            configuration.world.dns64 = reader.read(node)
            problems += reader.problems
        }
        if let node = fields["prefix"], let prefix = pref64(node) {
            configuration.world.dns64.replaceClauses(by: prefix)
        }
        if let node = fields["nat64"] { readNAT64(node) }
        if let node = fields["lan"] { configuration.lan = readLAN(node) }
        if let node = fields["clients"] { readClients(node) }
        if let node = fields["control"] { readControl(node) }
        if let node = fields["log"] { readLog(node) }
        if problems.isEmpty, let root, let objection = configuration.contradiction {
            report(objection, at: (fields["prefix"] ?? fields["dns64"] ?? fields["world"] ?? root).position)
        }
    }

    // MARK: The far side

    private mutating func readWorld(_ node: YAMLNode) {
        guard let path = path(node, "world", or: "demo"), path != "demo" else { return }
        do throws(WorldFileError) {
            configuration.world = try World(file: path, among: files)
        } catch {
            report("the world cannot be used:\n\(error)", at: node.position)
        }
    }

    /// The addresses of the NAT64 follow from the simulated network, and the prefix from the DNS64.
    private mutating func readNAT64(_ node: YAMLNode) {
        var reader = NAT64SectionReader(configuration.translator)
        configuration.translator = reader.read(node)
        problems += reader.problems
        let reasons = [
            "mode": "a client's NAT64 is stateful; leave it out",
            "prefixes": "the DNS64 and the NAT64 share one prefix; write prefix: at the top of the file",
            "pool": "each client has a pool address of its own; leave it out",
            "static-bindings": "no host outside knows a client's pool address; leave them out",
            "exempt-ipv4": "the world's hosts are exempt already; leave it out",
        ]
        for (key, position) in reader.places {
            if let reason = reasons[key] { report("\(key) has no place here: \(reason)", at: position) }
        }
    }

    // MARK: Clients and control

    private mutating func readClients(_ node: YAMLNode) {
        guard let entries = map(node, whatItIs: "clients", example: "{ most: 32, group: testers }") else { return }
        let fields = fields(
            entries, of: "clients", named: ["socket", "most", "here", "link", "prefix"] + Self.permissionKeys)
        if let node = fields["socket"], let path = path(node, "socket") { configuration.clients.socket = path }
        if let node = fields["most"], let limit = number(node, "most", in: 1...ClientSlot.limit) {
            configuration.clients.limit = limit
        }
        if let node = fields["here"] {
            // The loopback's addresses cannot be taken from the namespace in which the daemon was started.
            let networks = Network.allCases.filter(\.entry.hasIPv4Loopback)
            configuration.clients.here = choice(node, "here", networks.map { ($0.rawValue, $0) })
        }
        if let node = fields["link"], let setup = linkSetup(node) { configuration.clients.link = setup }
        if let node = fields["prefix"], let link = clientLink(node, "prefix") { configuration.clients.prefix = link }
        configuration.clients.permission = permission(fields)
    }

    private mutating func readControl(_ node: YAMLNode) {
        guard let entries = map(node, whatItIs: "control", example: "{ group: testers }") else { return }
        let fields = fields(entries, of: "control", named: ["socket"] + Self.permissionKeys)
        if let node = fields["socket"], let path = path(node, "socket") { configuration.control.socket = path }
        configuration.control.permission = permission(fields)
    }

    private static let permissionKeys = ["group", "everyone"]

    private mutating func permission(_ fields: [String: YAMLNode]) -> DaemonConfiguration.Permission {
        if let node = fields["everyone"], flag(node, "everyone") == true {
            if let group = fields["group"] {
                report("everyone: true lets in more than a group: leave one of them out", at: group.position)
            }
            return .everyone
        }
        guard let node = fields["group"] else { return .owner }
        guard case .scalar(let group) = node.content, !group.isEmpty else {
            report("group is a group's name or number, not \(node.kindDescription)", at: node.position)
            return .owner
        }
        return .group(group)
    }

    // MARK: The log

    private mutating func readLog(_ node: YAMLNode) {
        guard let entries = map(node, whatItIs: "log", example: "{ format: json, level: info }") else { return }
        let fields = fields(entries, of: "log", named: ["format", "level"])
        if let node = fields["format"],
            let format = choice(
                node, "format", [("text", DaemonConfiguration.Log.Format.text), ("json", .json)])
        {
            configuration.log.format = format
        }
        if let node = fields["level"],
            let level = choice(node, "level", DaemonConfiguration.Log.Level.allCases.map { ($0.rawValue, $0) })
        {
            configuration.log.level = level
        }
    }

    private mutating func path(_ node: YAMLNode, _ key: String, or word: String? = nil) -> String? {
        if case .scalar(let text) = node.content, !text.isEmpty { return text }
        report("\(key) is \(word.map { "\($0) or " } ?? "")a path, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
