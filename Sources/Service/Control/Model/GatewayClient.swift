// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// A client of a gateway: an address from which packets or queries came.
package struct GatewayClient: Codable, Hashable, Sendable {
    package var address: String
    /// The name that the user has given it; absent if there is none.
    package var name: String?
    /// The device of a LAN; absent for a client of a gateway.
    package var device: GatewayDevice?
    /// Whether the address is this host's own: then more than one client may be behind it.
    package var isHost: Bool
    package var first: Date
    package var last: Date
    /// The packets that it sent, and those that were delivered to it; packets that the host itself routes to others are not seen.
    package var sent: Traffic
    package var received: Traffic
    /// Destinations that it reached through the NAT64.
    package var byIPv4: [GatewayDestination]
    /// Destinations that it reached by IPv6, through the gateway.
    package var byIPv6: [GatewayDestination]
    /// Names that it looked up and that have IPv6 addresses of their own.
    package var namesWithIPv6: [String]
    package var drops: [GatewayDrop]
    /// The findings of the rules about it, the most severe first.
    package var findings: [GatewayFinding]
    /// Packets and queries that were not kept, as there was no room, and destinations that are left out of this list.
    package var omitted: Int

    package init(
        address: String, isHost: Bool, first: Date, last: Date, sent: Traffic, received: Traffic,
        byIPv4: [GatewayDestination], byIPv6: [GatewayDestination], namesWithIPv6: [String], drops: [GatewayDrop],
        findings: [GatewayFinding], omitted: Int
    ) {
        self.address = address
        self.isHost = isHost
        self.first = first
        self.last = last
        self.sent = sent
        self.received = received
        self.byIPv4 = byIPv4
        self.byIPv6 = byIPv6
        self.namesWithIPv6 = namesWithIPv6
        self.drops = drops
        self.findings = findings
        self.omitted = omitted
    }
}

/// A client that is a device on a LAN.
package struct GatewayDevice: Codable, Hashable, Sendable {
    /// The number in `ClientSummary`.
    package var id: UInt64
    /// Its Ethernet address.
    package var mac: String
    /// The name of its network.
    package var network: String
    /// Its source addresses, the latest first.
    package var addresses: [String]

    package init(id: UInt64, mac: String, network: String, addresses: [String]) {
        self.id = id
        self.mac = mac
        self.network = network
        self.addresses = addresses
    }
}

/// A destination of a client.
package struct GatewayDestination: Codable, Hashable, Sendable {
    /// The name for which the DNS returned the address; absent if there is none.
    package var name: String?
    package var address: String
    package var transport: String
    /// 0 for ICMP.
    package var port: UInt16
    package var isAnswered: Bool

    package init(name: String?, address: String, transport: String, port: UInt16, isAnswered: Bool) {
        self.name = name
        self.address = address
        self.transport = transport
        self.port = port
        self.isAnswered = isAnswered
    }
}

/// Packets of a client that were dropped.
package struct GatewayDrop: Codable, Hashable, Sendable {
    package var reason: String
    package var explanation: String
    package var count: UInt64
    package var example: String

    package init(reason: String, explanation: String, count: UInt64, example: String) {
        self.reason = reason
        self.explanation = explanation
        self.count = count
        self.example = example
    }
}

/// One match of a rule.
package struct GatewayFinding: Codable, Hashable, Sendable {
    package var rule: String
    /// `error`, `warning`, `note`
    package var severity: String
    /// The rest of a sentence that begins with the client.
    package var title: String
    /// `api.shop.example tcp/443`, or `-` if it is about the client itself.
    package var target: String
    /// The observation.
    package var text: String
    package var advice: String
    /// Whether a baseline contains it; absent if no baseline was applied.
    package var isAccepted: Bool?

    package init(rule: String, severity: String, title: String, target: String, text: String, advice: String) {
        self.rule = rule
        self.severity = severity
        self.title = title
        self.target = target
        self.text = text
        self.advice = advice
    }
}

/// All that is known of a gateway's clients.
package struct GatewayClients: Codable, Hashable, Sendable {
    /// In the order of their addresses, as many as were requested.
    package var items: [GatewayClient]
    package var total: Int
    /// Clients whose records were dropped to make room for others.
    package var forgotten: Int

    package init(_ items: [GatewayClient], total: Int, forgotten: Int) {
        self.items = items
        self.total = total
        self.forgotten = forgotten
    }
}
