import Findings
import LinuxNet
import Sandbox
import Wire
import World

/// One place's link to the world, and who lives behind it.
///
/// One link serves a client after the other; only one packet path uses it at a time.
final class WorldLink: Sendable {
    let tun: TUNDevice
    let ipv4Hosts: Set<IPv4Address>
    let ipv6Hosts: Set<IPv6Address>

    /// Makes the link in this process's network namespace. The first place's brings the world's addresses with it.
    init(_ world: World, place: ClientPlace, mtu: Int) throws(SandboxError) {
        let ipv4Hosts = world.ipv4Addresses
        let ipv6Hosts = world.ipv6Addresses
        let clients = Network.allCases
        var network = WorldNetwork(
            interface: place == .first ? "nat64" : "nat64-\(place.number)", mtu: mtu,
            routesIPv4: ([place.poolAddress] + clients.compactMap { place.ipv4(on: $0) }).map {
                IPv4Prefix($0, length: 32)!
            },
            routesIPv6: clients.map { IPv6Prefix(place.ipv6(on: $0), length: 128)! })
        if place == .first {
            network.routerIPv4 = [NetworkPlan.ipv4Router]
            network.routerIPv6 = [NetworkPlan.router]
            network.hostIPv4 = ipv4Hosts
            network.hostIPv6 = ipv6Hosts
        }
        tun = try network.make()
        self.ipv4Hosts = Set(ipv4Hosts)
        self.ipv6Hosts = Set(ipv6Hosts)
    }

    /// Throws away what came after the last client of this place had gone: it is not the next one's.
    func forget() {
        var buffer = PacketBuffer()
        // What the queue of a TUN holds; a flood must not keep us here.
        for _ in 0..<2048 {
            switch tun.read(into: &buffer) {
            case .packet, .malformed: continue
            case .wouldBlock, .error: return
            }
        }
    }
}
