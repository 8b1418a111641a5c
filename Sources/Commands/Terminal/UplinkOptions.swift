// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
package import ConfigurationText
package import Router

/// The options of a run of `ipv6check`, or of a daemon, for the use of the real network.
package struct UplinkOptions: ParsableArguments {
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

    package init() {}

    /// `nil` if none of the options is given.
    /// - Parameter isImplied: whether the uplink is used even without the option.
    package func configuration(isImplied: Bool = false) throws(OptionError) -> UplinkConfiguration? {
        guard uplink != nil || isImplied else {
            if allow.isEmpty, ignoredAAAA == .auto { return nil }
            throw OptionError(
                option: allow.isEmpty ? "--ignore-aaaa" : "--allow", reason: "it goes with --uplink host")
        }
        if allow.count > UplinkConfiguration.maximumEntries {
            throw OptionError(
                option: "--allow",
                reason: "at most \(UplinkConfiguration.maximumEntries) destinations can be allowed")
        }
        return UplinkConfiguration(allow: try entries(), ignoredAAAA: ignoredAAAA.setting)
    }

    private func entries() throws(OptionError) -> [AllowedEntry] {
        do throws(AllowedEntry.Invalid) {
            var entries: [AllowedEntry] = []
            for text in allow { entries.append(try AllowedEntry(text)) }
            return entries
        } catch {
            throw OptionError(option: "--allow", reason: "\(error)")
        }
    }
}
