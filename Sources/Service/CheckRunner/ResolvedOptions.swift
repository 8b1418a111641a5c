// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import ConfigurationText
import Topology
import DNS64
import Evidence
import LinuxNet
import NAT64
import Router
import Sandbox
import Simulator
import Text
import Translation
import Wire

/// The options' meaning, resolved before anything is made: a mistake here costs the user nothing but a line.
struct ResolvedOptions {
    let program: OSString
    let arguments: [OSString]
    let world: World
    let links: LinkPlan
    let nat64: [NAT64Setting]
    let capturePath: String?
    let publishedPorts: [UInt16]
    let request: NetworkRequest
    let hasCanaries: Bool
    /// The real network behind the NAT64; `nil` if there are only the world's hosts.
    let uplink: UplinkConfiguration?
    /// The attach socket of the daemon to use; `nil` is this process's own simulator.
    let simulatorPath: String?

    /// - Parameters:
    ///   - environment: the user's.
    ///   - typed: the arguments of this process.
    init(_ options: CheckOptions, _ environment: Environment, typed: [OSString] = []) throws(CheckFailure) {
        simulatorPath = try Self.simulatorPath(options, environment)
        arguments = Self.words(options.command, typed: typed)
        program = try Executable.given(
            arguments[0], path: environment["PATH"], subcommands: options.subcommands)
        uplink = options.uplink
        var world = try Self.world(options)
        if uplink != nil, let objection = world.objectionToUplink { throw CheckFailure(objection, .usage) }
        do throws(OptionError) {
            try world.dns64.apply(prefix: options.prefix, faults: options.dnsFaults)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
        self.world = world
        links = try Self.links(options)
        if let objection = world.objectionToPrefixes(on: links.client) { throw CheckFailure(objection, .usage) }
        do throws(OptionError) {
            nat64 = try options.request.nat64.map { (text) throws(OptionError) in try NAT64Setting(text) }
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
        capturePath = options.pcapFile
        publishedPorts = options.publishedPorts
        request = options.request
        if let port = HostPort.clash(among: request.hostPorts) {
            throw CheckFailure("--host-port: port \(port) of the program is given twice; give it once", .usage)
        }
        hasCanaries = options.hasCanaries
    }

    /// A command's words, with the octets that the user typed, if these are the last of this process: a String has only Unicode.
    static func words(_ command: [String], typed arguments: [OSString]) -> [OSString] {
        let last = Array(arguments.suffix(command.count))
        return last.map(\.description) == command ? last : command.map { OSString($0) }
    }

    private static func simulatorPath(
        _ options: CheckOptions, _ environment: Environment
    ) throws(CheckFailure) -> String? {
        guard let simulator = ChosenSimulator(option: options.simulator, environment) else { return nil }
        let path = try simulator.socketPath()
        let choices = [
            ("--uplink", options.uplink != nil), ("--world", options.worldFile != nil),
            ("--prefix", options.prefix != nil), ("--client-prefix", options.request.clientLink != nil),
            ("--mtu", options.mtu != nil), ("--world-mtu", options.worldMTU != nil),
            ("--fault", !options.faults.isEmpty), ("--nat64", !options.request.nat64.isEmpty),
            ("--dns-fault", !options.dnsFaults.isEmpty),
        ]
        for (option, isGiven) in choices where isGiven {
            throw CheckFailure(
                "\(option) is for the simulator to say (\(simulator)); give it to nat64sim serve, or add --simulator own",
                .usage)
        }
        return path
    }

    private static func links(_ options: CheckOptions) throws(CheckFailure) -> LinkPlan {
        if let mtu = options.mtu { try check("--mtu", mtu, in: LinkPlan.clientMTUs) }
        if let mtu = options.worldMTU { try check("--world-mtu", mtu, in: LinkPlan.worldMTUs) }
        let conditions: ConditionPlan
        do throws(ConditionError) {
            conditions = try ConditionPlan(options.request.conditions)
        } catch {
            throw CheckFailure("--conditions: \(error)", .usage)
        }
        return LinkPlan(
            clientMTU: options.mtu ?? LinkConditions.usualMTU, worldMTU: options.worldMTU,
            faults: LinkFaults(options.faults), conditions: conditions, setup: options.request.link ?? .fixed,
            client: options.request.clientLink ?? .standard)
    }

    private static func check(_ option: String, _ mtu: Int, in range: ClosedRange<Int>) throws(CheckFailure) {
        if range.contains(mtu) { return }
        throw CheckFailure("\(option) \(mtu): give a number from \(range.lowerBound) to \(range.upperBound)", .usage)
    }

    /// With an uplink the default world is empty, as the real network replaces the demo world's hosts.
    private static func world(_ options: CheckOptions) throws(CheckFailure) -> World {
        if options.hasCanaries { return .canaries }
        guard let path = options.worldFile else { return options.uplink == nil ? .demo : .empty }
        do throws(WorldFileError) {
            return try World(file: path)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }
}
