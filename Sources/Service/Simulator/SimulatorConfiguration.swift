// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
package import Topology
package import NAT64
import Evidence
import Translation
package import Uplink
import Wire
package import World

/// The configuration of a simulator.
package struct SimulatorConfiguration: Sendable {
    package var world: World
    /// The host's network in place of the world's hosts; `nil` for none. With it, the world must have no hosts.
    package var uplink: UplinkNetwork?
    /// Signs the certificates of the https hosts; the clients are to trust it.
    package var authority: CertificateAuthority
    /// Starts the programs of the world's services; `nil` if the simulator's own process does.
    package var programs: ProgramStarter?
    /// When the world's services start to serve.
    package var servingStart = ServingStart.early
    /// Number of clients that can be served at the same time: 1 to `ClientSlot.limit`.
    package var places = 1
    /// The external network that is in the only place, if there is one.
    package var gateway: GatewayPlan?
    /// Whether there can be devices in the places, beside clients whose addresses are known.
    package var servesDevices = false
    /// The properties of each client's links.
    package var links: LinkPlan
    /// The behaviour of each client's NAT64. Prefixes, pool, static bindings, exemptions, MTUs of links and the sources of its errors
    /// follow from the network and are ignored here.
    package var nat64 = NAT64Configuration.ofRFC
    /// TCP ports of each client that IPv4 hosts can reach at the NAT64's address for it.
    package var publishedPorts: [UInt16] = []
    /// Decides on ports and identifications. The same input must lead to the same ones, both here and when `nat64sim translate`
    /// replays a capture: 0 is the default of its configuration file, too.
    package var seed: UInt64 = 0

    package init(world: World, links: LinkPlan = LinkPlan(), authority: CertificateAuthority) {
        self.world = world
        self.links = links
        self.authority = authority
    }
}

extension SimulatorConfiguration {
    /// The NAT64's addresses for the clients in a place: an external network has those of all places.
    func pool(of place: ClientSlot) -> [IPv4Address] { servedPlaces(of: place).map(\.poolAddress) }

    /// The places by which the world's servers know the clients in a place, from the NAT64's addresses.
    func servedPlaces(of place: ClientSlot) -> [ClientSlot] {
        gateway == nil ? [place] : (0..<ClientSlot.limit).map { ClientSlot($0, on: links.client) }
    }

    /// The IPv6 addresses of the clients in a place on a network.
    func ipv6(of place: ClientSlot, on network: Network) -> [IPv6Prefix] {
        if links.ethernet != nil { return place.devicePrefix(on: network).map { [$0] } ?? [] }
        guard let address = place.ipv6(on: network) else { return [] }
        return gateway?.clients ?? [IPv6Prefix(address, length: 128)!]
    }
}

extension NAT64Configuration {
    /// The RFCs' defaults, adapted to the simulated network: its addresses, and that the client's link is the whole way to the client.
    package static var ofRFC: NAT64Configuration {
        var nat64 = NAT64Configuration(
            prefixes: [.wellKnown], pool: [NetworkPlan.poolAddress],
            errors: ErrorPolicy(ipv6Source: NetworkPlan.router, ipv4Source: NetworkPlan.ipv4Router))
        // RFC 7915 §4: 1280 is for a path of unknown MTU. A CLAT cannot translate fragments of a ping's answer.
        nat64.translation.lowestIPv6MTU = TranslationOptions.largestMTU
        return nat64
    }
}
