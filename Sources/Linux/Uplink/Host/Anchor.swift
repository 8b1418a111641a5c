// SPDX-License-Identifier: Apache-2.0
import Topology
internal import Glibc
internal import LinuxNet
internal import Netlink
internal import Sandbox
internal import Wire

/// An interface that has the router's addresses and nothing behind it: a link that is not read.
///
/// It stands for the simulator's presence in a network that is not ours alone. It goes with the last process that holds its
/// descriptor, however that ends, and the addresses with it; and while it is there, no second one can be made.
struct Anchor: ~Copyable, Sendable {
    static let name = "nat64sim"

    private let device: LinkDevice

    init(_ network: SimulatedNetwork) throws(UplinkError) {
        let device = try Self.make()
        // Not before: a predecessor's addresses may have been there until then.
        if let clash = try HostAddresses.own().first(where: network.contains) { throw .clash(clash) }
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: Self.name).index
            try routeSocket.change(link, LinkChange(isUp: true, generatesLinkLocalAddress: false))
            try routeSocket.add(network.ipv4Router, prefixLength: 32, to: link)
            try routeSocket.add(network.ipv6Router, prefixLength: 128, to: link)
            try routeSocket.waitUntilLocal([network.ipv6Router])
        } catch {
            throw .network("\(error)")
        }
        self.device = device
    }

    /// For the owner that is to keep it.
    var descriptor: Int32 { device.descriptor }

    /// A predecessor that has just been killed may still be tidying up.
    private static func make() throws(UplinkError) -> LinkDevice {
        let deadline = MonotonicClock.now() + .seconds(5)
        while InterfaceBinding.index(of: name) != nil {
            if MonotonicClock.now() > deadline { throw .busy }
            usleep(20_000)
        }
        do throws(SandboxError) {
            return try LinkDevice.make(name, isPassing: true)
        } catch {
            throw InterfaceBinding.index(of: name) == nil ? .sandbox(error) : .busy
        }
    }
}
