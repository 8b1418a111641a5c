// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Topology
import Evidence
import LinuxNet
import RouterThread
import Router
import Sandbox
import Uplink
import Wire
import World

extension WorldLink {
    /// Makes the link in this process's network namespace. The first place's link also gets the world's addresses, unless the world
    /// is the host's network.
    convenience init(_ configuration: SimulatorConfiguration, place: ClientSlot) throws(SandboxError) {
        let (world, uplink) = (configuration.world, configuration.uplink)
        let ipv4Hosts = world.ipv4Addresses
        let ipv6Hosts = world.ipv6Addresses
        let clients = Network.allCases
        // Not assigned as local addresses, as the kernel would drop packets from them: `RemoteHops` answers for them.
        let routers = world.routerAddresses
        var network = WorldNetwork(
            interface: Self.name(place, on: uplink), mtu: configuration.links.worldMTU,
            routesIPv4: (configuration.pool(of: place) + clients.compactMap { place.ipv4(on: $0) }).map {
                IPv4Prefix($0, length: 32)!
            })
        // The host has routes to the clients of an external network already.
        if configuration.gateway == nil || uplink == nil {
            network.routesIPv6 =
                configuration.gateway?.clients
                ?? clients.compactMap { place.ipv6(on: $0) }.map { IPv6Prefix($0, length: 128)! }
            if configuration.servesDevices { network.routesIPv6.append(place.devicePrefixes) }
        }
        network.isPassing = uplink != nil
        if uplink == nil { network.routerIPv4 = [place.link.ipv4Router] }
        if place.number == 0 && uplink == nil {
            network.routerIPv6 = [place.link.router]
            network.hostIPv4 = ipv4Hosts
            network.hostIPv6 = ipv6Hosts
            // If the kernel checks sources (rp_filter), their packets must arrive by the interface of the route to them.
            network.routesIPv4 += routers.compactMap(\.ipv4).map { IPv4Prefix($0, length: 32)! }
            network.routesIPv6 += routers.compactMap(\.ipv6).map { IPv6Prefix($0, length: 128)! }
        }
        let device = try network.make()
        guard let interface = InterfaceBinding.index(of: network.interface) else {
            preconditionFailure("the link that was made is not there")
        }
        self.init(
            device, interface: interface,
            reach: Reach(
                ipv4Hosts: Set(ipv4Hosts + routers.compactMap(\.ipv4)),
                ipv6Hosts: Set(ipv6Hosts + routers.compactMap(\.ipv6))),
            destinations: uplink?.destinations)
    }

    private static func name(_ place: ClientSlot, on uplink: UplinkNetwork?) -> String {
        if let uplink { return uplink.linkPrefix + "\(place.number)" }
        return place.number == 0 ? "nat64" : "nat64-\(place.number)"
    }
}
