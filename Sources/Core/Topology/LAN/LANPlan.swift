// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// An Ethernet link with external devices: each is a client, with a place, a network, and prefixes of its own (RFC 8273).
package struct LANPlan: Hashable, Sendable {
    /// Every device on this interface is a client.
    package var interface: String
    /// The devices with settings of their own.
    package var devices: [EthernetAddress: DevicePlan] = [:]
    /// The network of all other devices.
    package var network = Network.nat64
    /// How long a device that requests IPv4 but can do without is told to do without, in seconds (RFC 8925); `nil` sends no such option.
    package var ipv6OnlyTime: UInt32? = 1800

    /// The maximum number of devices, more than any lab has.
    package static let deviceLimit = 1000
    /// The minimum is MIN_V6ONLY_WAIT (RFC 8925 §3.4).
    package static let ipv6OnlyTimes = Duration.seconds(300)...Duration.seconds(86_400)

    package init(interface: String) { self.interface = interface }

    package subscript(device: EthernetAddress) -> DevicePlan { devices[device] ?? DevicePlan() }
}
