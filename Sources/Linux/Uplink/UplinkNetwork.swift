// SPDX-License-Identifier: Apache-2.0
package import Topology
package import Wire

/// The real network behind a simulated one, as the simulator needs to know it: the part of a `HostUplink`, which may belong to another
/// process.
package struct UplinkNetwork: Sendable {
    /// The addresses of the clients' links; they differ from the requested ones if the host has those.
    package let link: ClientLink
    /// The prefix of the clients' links' interface names; a number follows.
    package let linkPrefix: String
    /// The servers for name look-ups, used in turn.
    package let resolvers: [IPAddress]
    /// Whether IPv6 addresses are synthesised even for names that have their own.
    package let ignoresAAAA: Bool
    /// Whether the links are on the host's network itself, rather than on one behind pasta.
    package let isOnHost: Bool
    /// The destinations that may be reached.
    package let destinations: DestinationBoard
}
