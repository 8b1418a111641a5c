// SPDX-License-Identifier: Apache-2.0
import Router

/// The `uplink` section: the network behind the NAT64.
///
///     uplink: hermetic          # the world's own hosts
///     uplink: host              # the host's network
///     uplink: { network: host, allow: [10.1.2.0/24, db], ignore-aaaa: auto }
extension DaemonFileReader {
    private static var networks: [(word: String, Bool)] { [("hermetic", false), ("host", true)] }

    /// `nil` if only the world's hosts are behind it.
    mutating func readUplink(_ node: YAMLNode) -> UplinkConfiguration? {
        guard case .map(let entries) = node.content else {
            return choice(node, "uplink", Self.networks) == true ? UplinkConfiguration() : nil
        }
        let fields = fields(entries, of: "uplink", named: ["network", "allow", "ignore-aaaa"])
        guard let network = fields["network"] else {
            report("the network is missing: write network: host", at: node.position)
            return nil
        }
        guard choice(network, "network", Self.networks) == true else {
            for key in ["allow", "ignore-aaaa"] {
                if let node = fields[key] { report("\(key) goes with network: host", at: node.position) }
            }
            return nil
        }
        var uplink = UplinkConfiguration()
        if let node = fields["allow"] { uplink.allow = items(node).compactMap { readAllowed($0) } }
        if uplink.allow.count > UplinkConfiguration.maximumEntries, let node = fields["allow"] {
            report("at most \(UplinkConfiguration.maximumEntries) destinations can be allowed", at: node.position)
        }
        if let node = fields["ignore-aaaa"],
            let ignored = choice(
                node, "ignore-aaaa", UplinkConfiguration.IgnoredAAAA.allCases.map { ($0.rawValue, $0) })
        {
            uplink.ignoredAAAA = ignored
        }
        return uplink
    }

    private mutating func readAllowed(_ node: YAMLNode) -> AllowedEntry? {
        guard case .scalar(let text) = node.content else {
            report(
                "a destination is an IPv4 prefix, an address or a name, not \(node.kindDescription)", at: node.position)
            return nil
        }
        do throws(AllowedEntry.Invalid) {
            return try AllowedEntry(text)
        } catch {
            report("\(error)", at: node.position)
            return nil
        }
    }
}
