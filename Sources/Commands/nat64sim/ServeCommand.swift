// SPDX-License-Identifier: Apache-2.0
import Terminal
import ConfigurationFiles
import ArgumentParser
import DNS64
import Daemon
import Evidence
import Sandbox
import Simulator
import Text
import Topology
import Translation
import ConfigurationText

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve IPv6-only networks in the foreground, for clients that ipv6check --simulator attaches.",
        discussion: """
            SIGHUP reads the configuration file again, and ends it if there is none; SIGTERM and SIGINT end it. The log goes to \
            the standard error stream.

              nat64sim serve --config nat64sim.yaml
              ipv6check --simulator unix:/run/nat64sim/attach.sock curl -fsS http://shop.test/

            With --lan, telephones and boards on an interface of this host are clients, too (docs/devices.md):

              sudo nat64sim serve --lan wlan0 --uplink host
            """)

    @OptionGroup var options: DaemonOptions

    @Option(
        help: ArgumentHelp(
            "Put the sockets attach.sock and control.sock there (default: as the configuration says, or \(DaemonConfiguration.socketFolder)).",
            valueName: "folder"))
    var sockets: String?

    @Option(
        defaultAsFlag: "-",
        help: ArgumentHelp(
            "Write a line for each query to this file, which begins anew; - or nothing is the standard output.",
            valueName: "file"))
    var dnsLog: String?

    @Option(
        help: ArgumentHelp(
            "Be the router of the devices on this interface: an access point, a bridge, a cable.",
            valueName: "interface"))
    var lan: String?

    func run() throws {
        Daemon.holdReload()
        let configuration = try chosenConfiguration(reading: readFile(_:maximum:))
        let log = try dnsLog.map { try DNSLogOutput($0) }
        var configuring: Daemon.Configuring?
        if options.config != nil { configuring = { try chosenConfiguration(reading: $0) } }
        let daemon = Daemon(configuration, rereading: configuring, version: ProgramVersion.current)
        do throws(DaemonError) {
            _ = try daemon.run(Entry.inheritance, queries: log.map { ($0.descriptor, $0.text(of:)) }) { start in
                if let lan = start.lan { Notice.show(LANGreeting(lan).text) }
            }
        } catch {
            throw CommandFailure(description: "\(error)", status: .machineCannot)
        }
    }
}

extension ServeCommand {
    private func chosenConfiguration(reading readFile: @escaping FileReading) throws -> DaemonConfiguration {
        var configuration = try options.configuration(reading: readFile)
        if let sockets { configuration.putSockets(in: sockets) }
        if let lan {
            configuration.lan = configuration.lan ?? LANPlan(interface: lan)
            configuration.lan?.interface = lan
            if let objection = configuration.contradiction {
                throw CommandFailure(description: objection, status: .usage)
            }
        }
        return configuration
    }
}

struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check a configuration file, as serve reads it, or a world file, and report all errors.")

    @Argument(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("A world file, without a configuration around it.", valueName: "file"))
    var world: String?

    func validate() throws {
        if (file == nil) == (world == nil) {
            throw ValidationError("give a configuration file, or --world and a world file")
        }
    }

    func run() throws {
        if let world { try check(world: world) }
        if let file { try check(file) }
    }

    private func check(world path: String) throws {
        do throws(WorldFileError) {
            let world = try World(file: path)
            if let objection = world.objectionToPrefixes(on: .standard) {
                throw WorldFileError(file: path, objection)
            }
            let prefixes = world.translatedPrefixes.map { "\($0)" }.joined(separator: ", ")
            print("\(path): good (\(counted(world.hosts.count, "host")), Pref64 \(prefixes))")
        } catch {
            throw CommandFailure(description: "\(error)", status: .usage)
        }
    }

    private func check(_ file: String) throws {
        let configuration: DaemonConfiguration
        do throws(YAMLFileError) {
            configuration = try DaemonConfiguration(file: file)
        } catch {
            throw CommandFailure(description: "\(error)", status: .usage)
        }
        let prefixes = configuration.world.translatedPrefixes.map { "\($0)" }.joined(separator: ", ")
        let hosts =
            configuration.uplink == nil ? counted(configuration.world.hosts.count, "host") : "the host's network"
        print("\(file): good (\(hosts), Pref64 \(prefixes))")
    }
}

/// The options for a daemon's configuration.
struct DaemonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file (docs/daemon-configuration.md has every key).", valueName: "file"))
    var config: String?

    @OptionGroup var worldOptions: WorldOptions

    @OptionGroup var uplink: UplinkOptions

    /// - Parameter gateway: the external network to serve; the host's network is behind its NAT64 by default.
    func configuration(
        reading readFile: @escaping FileReading, gateway: GatewayPlan? = nil
    ) throws -> DaemonConfiguration {
        do {
            var configuration =
                try config.map { try DaemonConfiguration(file: $0, reading: readFile) } ?? DaemonConfiguration()
            if let world = worldOptions.file.world { configuration.world = try World(file: world, reading: readFile) }
            let isImplied = gateway != nil && config == nil && worldOptions.file.world == nil
            if let uplink = try uplink.configuration(isImplied: isImplied) {
                configuration.use(uplink, keepsWorld: worldOptions.file.world != nil || configuration.uplink != nil)
            }
            try configuration.world.dns64.apply(prefix: worldOptions.prefix, faults: worldOptions.dnsFault)
            if let gateway { configuration.serve(gateway) }
            if let objection = configuration.contradiction {
                throw CommandFailure(description: objection, status: .usage)
            }
            return configuration
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(description: "\(error)", status: .usage)
        }
    }
}
