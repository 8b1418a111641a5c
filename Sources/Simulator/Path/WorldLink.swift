import LinuxNet
import Sandbox
import Wire
import World

/// The simulator's link to the world, and who lives behind it.
///
/// One link serves a run after the other; only one packet path uses it at a time.
final class WorldLink: Sendable {
    let tun: TUNDevice
    let ipv4Hosts: Set<IPv4Address>
    let ipv6Hosts: Set<IPv6Address>

    /// Makes the link in this process's network namespace, with the world's addresses behind it.
    init(_ world: World) throws(SandboxError) {
        ipv4Hosts = Set(world.ipv4Addresses)
        ipv6Hosts = Set(world.ipv6Addresses)
        let network = WorldNetwork(
            mtu: NetworkPlan.mtu, routerIPv4: [NetworkPlan.ipv4Router], routerIPv6: [NetworkPlan.router],
            routesIPv4: [NetworkPlan.ipv4Link], routesIPv6: [NetworkPlan.clientLink],
            hostIPv4: world.ipv4Addresses, hostIPv6: world.ipv6Addresses)
        tun = try network.make()
    }
}
