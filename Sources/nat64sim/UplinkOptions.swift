import ArgumentParser
import Findings
import Sandbox
import Simulator
import Uplink
import World

/// How `nat64sim serve` is told to use the real network.
struct UplinkOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case host
    }

    enum IgnoredAAAA: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never

        var setting: UplinkConfiguration.IgnoredAAAA {
            switch self {
            case .auto: .auto
            case .always: .always
            case .never: .never
            }
        }
    }

    @Option(help: "Put the network in which this command runs behind the NAT64, in place of a world's hosts.")
    var uplink: Kind?

    @Option(
        help: ArgumentHelp(
            "With --uplink host: let clients reach this IPv4 prefix, address or host name although it is not public. Can be repeated.",
            valueName: "destination"))
    var allow: [String] = []

    @Option(
        name: .customLong("ignore-aaaa"),
        help:
            "With --uplink host: synthesise IPv6 addresses even for names that have some; auto: where this host has no IPv6."
    )
    var ignoredAAAA = IgnoredAAAA.auto

    /// What is wrong with them, or with a world beside them.
    func check(_ world: World) throws {
        if uplink == nil && (!allow.isEmpty || ignoredAAAA != .auto) {
            throw CommandFailure(description: "--allow and --ignore-aaaa go with --uplink host", status: .usage)
        }
        if uplink != nil, let host = world.hosts.first {
            throw CommandFailure(
                description:
                    "with --uplink host the hosts are the real ones, and a world file can have none (\(host.name))",
                status: .usage)
        }
        if allow.count > UplinkConfiguration.mostEntries {
            throw CommandFailure(
                description: "at most \(UplinkConfiguration.mostEntries) destinations can be allowed", status: .usage)
        }
        _ = try entries()
    }

    /// Opens it, in main; nil where none was asked for.
    func open(_ inheritance: Inheritance) throws -> HostUplink? {
        guard uplink != nil else { return nil }
        let configuration = UplinkConfiguration(allow: try entries(), ignoredAAAA: ignoredAAAA.setting)
        return try HostUplink.open(configuration, for: NetworkPlan.simulated, inheritance: inheritance)
    }

    private func entries() throws -> [AllowedEntry] {
        do {
            return try allow.map { try AllowedEntry($0) }
        } catch {
            throw CommandFailure(description: "--allow: \(error)", status: .usage)
        }
    }
}
