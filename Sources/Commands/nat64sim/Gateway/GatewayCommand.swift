// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import ConfigurationFiles
import ConfigurationText
import DNS64
import Daemon
import Sandbox
import Terminal
import Text
import Topology
import Wire

struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Be the NAT64 and DNS64 of a network that is there: a cluster, a compose project, virtual machines.",
        discussion: """
            The network has IPv6 only, and this host is its router. What the clients send to the NAT64's prefix comes to the gateway and \
            leaves as IPv4; their DNS server is the gateway's DNS64. SIGTERM and SIGINT end it; what it changes on this host is said, and \
            undone at the end, after SIGKILL too.

              sudo nat64sim gateway --from fd00:10:89::/64
              sudo nat64sim gateway --of docker:shop_default
              nat64sim clients

            Exit codes: 0 it was ended · 1 a client needs IPv4 (with --report) · 2 wrong usage · 4 no client came (with \
            --report) · 5 this host cannot.
            """)

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("Where the clients have their addresses. Can be repeated.", valueName: "prefix"))
    var clients: [String] = []

    @Option(
        help: ArgumentHelp(
            "Of a network of Docker's or Podman's: its prefixes in place of --from.",
            valueName: "docker:network|podman:network"))
    var of: String?

    @Option(help: ArgumentHelp("The address of the DNS64, on no link of the clients.", valueName: "address"))
    var dns: String?

    @Option(
        help: ArgumentHelp(
            "Ask this server for names in place of this host's own. Can be repeated.", valueName: "address"))
    var forward: [String] = []

    @Flag(help: "Where IPv6 forwarding costs this host its default route, set accept_ra=2 first.")
    var switchForwarding = false

    @Option(
        help: ArgumentHelp(
            "Put the socket control.sock there (default: as the configuration says, or \(DaemonConfiguration.socketFolder)).",
            valueName: "folder"))
    var sockets: String?

    @OptionGroup var gate: GateOptions

    @OptionGroup var options: DaemonOptions

    func run() throws {
        let engine = try of.map { name throws(CommandFailure) in try EngineNetwork(of: name) }
        let daemon = Daemon(
            try configuration(engine, reading: readFile(_:maximum:)), rereading: nil, version: ProgramVersion.current)
        // Before the start, so that a file that cannot be read or written is reported now.
        let ending = try gate.ending()
        do {
            let clients = try daemon.run(Entry.inheritance) { start in
                if let gateway = start.gateway { Notice.show(GatewayGreeting(gateway, engine: engine).text) }
            }
            if let ending { try ending.end(with: clients) }
        } catch let error as DaemonError {
            throw CommandFailure(description: "\(error)", status: .machineCannot)
        }
    }

    private func configuration(
        _ engine: EngineNetwork?, reading readFile: @escaping FileReading
    ) throws -> DaemonConfiguration {
        var configuration = try options.configuration(reading: readFile, gateway: try plan(engine))
        configuration.switchesForwarding = switchForwarding
        if let sockets { configuration.putSockets(in: sockets) }
        if !forward.isEmpty {
            configuration.world.forwarders = ForwarderConfiguration(
                servers: try forward.map { text in
                    guard let address = IPAddress(text) else { throw Self.mistake("--forward \(text)", "an address") }
                    return Endpoint(address, port: 53)
                })
        }
        return configuration
    }

    private func plan(_ engine: EngineNetwork?) throws -> GatewayPlan {
        let prefixes =
            try (engine?.prefixes ?? [])
            + clients.map { text in
                guard let prefix = IPv6Prefix(text) else {
                    throw Self.mistake("--from \(text)", "an IPv6 prefix such as fd00:10:244::/56")
                }
                return prefix
            }
        let resolver = try dns.map { text in
            guard let address = IPv6Address(text) else {
                throw Self.mistake("--dns \(text)", "an IPv6 address such as fd00:10:89::64")
            }
            return address
        }
        return GatewayPlan(clients: prefixes, resolver: resolver)
    }

    private static func mistake(_ text: String, _ wanted: String) -> CommandFailure {
        CommandFailure(description: "\(excerpt(text)) is not \(wanted)", status: .usage)
    }
}
