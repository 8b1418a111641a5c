// SPDX-License-Identifier: Apache-2.0
import Topology
internal import Glibc
internal import LinuxNet
internal import Netlink
internal import Sandbox
internal import Wire

/// An interface that has the router's addresses and nothing behind it: a link that is not read.
///
/// It represents the simulator in a network that is not ours alone. It is deleted with its addresses when the last process that holds its
/// descriptor ends, for any reason; while it exists, its name reserves its number.
struct Anchor: ~Copyable, Sendable {
    let instance: UplinkInstance
    private let device: LinkDevice

    /// To be called under the `StartLock`.
    /// - Parameter link: the preferred addresses; others may be chosen.
    init(on link: ClientLink) throws(UplinkError) {
        let free = try Self.free(link)
        let claim = try Self.claim()
        let instance = UplinkInstance(number: claim.number, link: free)
        try Self.configure(instance)
        self.instance = instance
        device = claim.device
    }

    private static func configure(_ instance: UplinkInstance) throws(UplinkError) {
        let network = instance.link.simulatedNetwork
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: instance.name).index
            try routeSocket.change(link, LinkChange(isUp: true, generatesLinkLocalAddress: false))
            try routeSocket.add(network.ipv4Router, prefixLength: 32, to: link)
            try routeSocket.add(network.ipv6Router, prefixLength: 128, to: link)
            try routeSocket.waitUntilLocal([network.ipv6Router])
        } catch {
            throw .network("\(error)")
        }
    }

    /// For the owner that is to keep the interface.
    var descriptor: Int32 { device.descriptor }

    /// The first addresses that the host does not have. If there are none, a predecessor that has just been killed may still be cleaning
    /// up, so this waits.
    private static func free(_ link: ClientLink) throws(UplinkError) -> ClientLink {
        let deadline = MonotonicClock.now() + .seconds(5)
        while true {
            let own = try HostAddresses.own()
            let clashes = link.alternatives.map { link in own.first(where: link.simulatedNetwork.contains) }
            if let first = clashes.firstIndex(of: nil) { return link.alternatives[first] }
            let clash = own.first(where: link.simulatedNetwork.contains) ?? .ipv6(link.router)
            if clash != .ipv6(link.router) || MonotonicClock.now() > deadline { throw .clash(clash) }
            usleep(20_000)
        }
    }

    private struct Claim: ~Copyable {
        let number: Int
        let device: LinkDevice
    }

    /// Claims the smallest number whose interface can be made.
    private static func claim() throws(UplinkError) -> Claim {
        for number in 1...UplinkInstance.limit {
            let name = UplinkInstance.name(number)
            if InterfaceBinding.index(of: name) != nil { continue }
            do throws(SandboxError) {
                return Claim(number: number, device: try LinkDevice.make(name, isPassing: true))
            } catch {
                if InterfaceBinding.index(of: name) == nil { throw .sandbox(error) }
            }
        }
        throw .busy
    }
}
