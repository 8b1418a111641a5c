// SPDX-License-Identifier: Apache-2.0
import Control
import FoundationEssentials
import Text

/// A gateway's clients, or a LAN's devices, as text.
struct GatewayTable {
    let clients: [GatewayClient]
    let now = Date()

    /// A line for each client, followed by its destinations and refusals.
    var text: String {
        let hasDevices = clients.contains { $0.device != nil }
        let rows = clients.map { client in
            (hasDevices ? [client.device.map { "\($0.id)" } ?? "-", client.device?.network ?? "-"] : []) + [
                client.label, span(now.timeIntervalSince(client.last)) + " ago", phrase(client.sent),
                phrase(client.received), "\(client.byIPv4.count)", "\(client.drops.reduce(0) { $0 + $1.count })",
                "\(client.findings.count)",
            ]
        }
        let lines = table(
            (hasDevices ? ["ID", "NETWORK", "DEVICE"] : ["CLIENT"])
                + ["SEEN", "SENT", "RECEIVED", "BY IPV4", "DROPS", "FINDINGS"],
            numeric: hasDevices ? [6, 7, 8] : [4, 5, 6], rows
        ).split(separator: "\n").map(String.init)
        guard lines.count == clients.count + 1 else { return lines.joined(separator: "\n") }
        return ([lines[0]] + zip(lines.dropFirst(), clients).flatMap { [$0] + details($1) }).joined(separator: "\n")
    }

    /// Maximum number of items in a list of one client's.
    private static let shown = 6

    private func details(_ client: GatewayClient) -> [String] {
        var lines: [String] = []
        if let device = client.device {
            lines.append(
                device.addresses.isEmpty ? "has sent from no address" : "addresses: " + shortened(device.addresses))
        }
        if !client.byIPv4.isEmpty { lines.append("by IPv4: " + list(client.byIPv4)) }
        if !client.byIPv6.isEmpty { lines.append("by IPv6: " + list(client.byIPv6)) }
        if !client.namesWithIPv6.isEmpty {
            lines.append("with IPv6 addresses of their own: " + shortened(client.namesWithIPv6))
        }
        for drop in client.drops.prefix(Self.shown) {
            lines.append("refused: \(drop.count) × \(drop.reason) (\(drop.explanation))")
        }
        if client.isHost { lines.append("this is an address of this host's own: who sends by it cannot be told apart") }
        return lines.map { "    " + printable($0) }
    }

    private func list(_ destinations: [GatewayDestination]) -> String { shortened(destinations.map(\.label)) }

    private func shortened(_ words: [String]) -> String {
        let rest = words.count - Self.shown
        return words.prefix(Self.shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension GatewayClient {
    /// `fd00:db8:7::5 (cart)`, or for a device `02:00:5e:10:00:01 (phone)`
    var label: String { (device?.mac ?? address) + (name.map { " (\($0))" } ?? "") }
}

extension GatewayDestination {
    /// `api.vendor.example (tcp 443)`
    var label: String {
        "\(name ?? address) (\(transport)\(transport == "icmp" ? "" : " \(port)")\(isAnswered ? "" : ", no answer"))"
    }
}

/// The findings of a gateway's clients as text.
struct GatewayFindingsText {
    let clients: [GatewayClient]

    var lines: [String] {
        var advice: [String] = []
        var told: Set<String> = []
        var lines: [String] = []
        for client in clients {
            for finding in client.findings {
                let state = finding.isAccepted == true ? " (accepted)" : ""
                lines.append(
                    "\(finding.severity) \(finding.rule) \(client.label) \(finding.title)\(state): \(finding.text)")
                if told.insert(finding.rule).inserted { advice.append("\(finding.rule): \(finding.advice)") }
            }
        }
        return (advice.isEmpty ? lines : lines + [""] + advice).map(printable)
    }
}
