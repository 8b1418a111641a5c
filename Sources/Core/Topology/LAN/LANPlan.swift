// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// A link of Ethernet with devices that are not ours: each is a client, with a place, a network, and prefixes of its own (RFC 8273).
package struct LANPlan: Hashable, Sendable {
    /// Whoever is on this interface is one.
    package var interface: String
    /// Those of which something is to be other than usual.
    package var devices: [EthernetAddress: DevicePlan] = [:]
    /// On which network a device is that is not known.
    package var network = Network.nat64
    /// How long a device that asks for IPv4 and can do without is told to do without, in seconds (RFC 8925); `nil` tells nobody.
    package var ipv6OnlyTime: UInt32? = 1800

    /// More are nobody's lab.
    package static let deviceLimit = 1000
    /// From MIN_V6ONLY_WAIT on (RFC 8925 §3.4).
    package static let ipv6OnlyTimes = Duration.seconds(300)...Duration.seconds(86_400)

    package init(interface: String) { self.interface = interface }

    package subscript(device: EthernetAddress) -> DevicePlan { devices[device] ?? DevicePlan() }
}
