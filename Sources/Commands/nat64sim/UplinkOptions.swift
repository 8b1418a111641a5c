import ArgumentParser
import Evidence
import Router

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

    /// `nil` if none was asked for.
    func configuration() throws -> UplinkConfiguration? {
        guard uplink != nil else {
            if allow.isEmpty, ignoredAAAA == .auto { return nil }
            throw CommandFailure(description: "--allow and --ignore-aaaa go with --uplink host", status: .usage)
        }
        if allow.count > UplinkConfiguration.maximumEntries {
            throw CommandFailure(
                description: "at most \(UplinkConfiguration.maximumEntries) destinations can be allowed", status: .usage
            )
        }
        return UplinkConfiguration(allow: try entries(), ignoredAAAA: ignoredAAAA.setting)
    }

    private func entries() throws -> [AllowedEntry] {
        do {
            return try allow.map { try AllowedEntry($0) }
        } catch {
            throw CommandFailure(description: "--allow: \(error)", status: .usage)
        }
    }
}
