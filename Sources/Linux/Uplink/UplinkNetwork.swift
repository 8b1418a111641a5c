// SPDX-License-Identifier: Apache-2.0
package import Topology
package import Wire

/// The real network behind a simulated one, as the simulator sees it: what it needs to know of a `HostUplink`, which
/// may be another process's.
package struct UplinkNetwork: Sendable {
    /// The addresses of the clients' links, which are others than asked for where the host has those.
    package let link: ClientLink
    /// What the interfaces of the clients' links are to be called: this, and a number.
    package let linkPrefix: String
    /// The servers to ask for names, in turn.
    package let resolvers: [IPAddress]
    /// Whether IPv6 addresses are to be synthesised for names that have some of their own.
    package let ignoresAAAA: Bool
    /// Whether the links are on the host's network itself, and not on one that pasta leads out of.
    package let isOnHost: Bool
    /// What may be reached.
    package let destinations: DestinationBoard
}
