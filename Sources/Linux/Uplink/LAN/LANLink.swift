// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
internal import Netlink
internal import Sandbox
package import Topology
internal import Translation
package import Wire

/// The host's link to external devices: packet sockets at its interface, and nothing else. The interface gets no address and no setting is
/// changed, so nothing need be restored.
///
/// To be made in the host's network, while the process has one thread.
package struct LANLink: ~Copyable {
    /// A socket for one device, possibly with several references.
    package final class Slot: Sendable {
        package let socket: DeviceSocket

        package init(_ socket: consuming DeviceSocket) { self.socket = socket }
    }

    /// The router's address on the link.
    package let own: EthernetAddress
    /// Whether the host forwards packets from this interface, and would do so for a device that sends to the host's own address.
    package let isForwarding: Bool
    /// Why the host's own network receives the link's packets, too; `nil` if it does not.
    package let reasonForHearing: String?
    private var discovery: DiscoverySocket?
    private var slots: [Slot]
    private let wall: HostWall?

    /// - Parameters:
    ///   - places: maximum number of devices.
    ///   - mtu: the MTU that devices are told.
    package init(_ plan: LANPlan, places: Int, mtu: Int) throws(UplinkError) {
        let name = plan.interface
        let (link, addresses) = try Self.look(at: name)
        if !link.isUp { throw .noLAN(interface: name, reason: "it is down; fix: ip link set \(name) up") }
        if link.isPort { throw .noLAN(interface: name, reason: "it is a port of a bridge; choose the bridge") }
        if let address = addresses.first(where: { !$0.isLinkLocal }) {
            throw .noLAN(
                interface: name,
                reason: "it has the address \(address), so it is a network of this host's; choose an interface without")
        }
        if link.mtu < mtu {
            throw .noLAN(
                interface: name,
                reason:
                    "its MTU is \(link.mtu), and that of the network \(mtu) (nat64: ipv6-mtu); fix: ip link set \(name) mtu \(mtu)"
            )
        }
        let sockets = try Self.open(name, places)
        own = sockets.own
        slots = sockets.slots
        discovery = sockets.discovery
        isForwarding = Self.forwards(name)
        switch HostWall.make(at: name, number: link.index.number) {
        case .made(let wall):
            self.wall = consume wall
            reasonForHearing = nil
        case .failed(let reason):
            wall = nil
            reasonForHearing = reason
        }
    }

    /// Passes the sockets to the process that reads the packets, and closes them here.
    /// - Parameter give: called with a descriptor, and whether it is that of discovery.
    package mutating func handOver(_ give: (_ descriptor: Int32, _ isDiscovery: Bool) -> Void) {
        switch discovery.take() {
        case .some(let discovery): give(discovery.descriptor, true)
        case nil: break
        }
        for slot in slots { give(slot.socket.descriptor, false) }
        slots = []
    }

    private struct Sockets: ~Copyable {
        let own: EthernetAddress
        let discovery: DiscoverySocket?
        let slots: [Slot]
    }

    private static func open(_ name: String, _ places: Int) throws(UplinkError) -> Sockets {
        do throws(SystemError) {
            let own = try EthernetAddress(ofInterface: name).sibling
            let discovery = try DiscoverySocket.open(interface: name)
            var slots: [Slot] = []
            for _ in 0..<places { slots.append(Slot(try DeviceSocket.open(interface: name))) }
            return Sockets(own: own, discovery: discovery, slots: slots)
        } catch {
            throw .noLAN(interface: name, reason: explanation(of: error))
        }
    }

    private static func look(at name: String) throws(UplinkError) -> (NetworkInterface, [IPAddress]) {
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: name)
            return (link, try routeSocket.addresses(of: link.index))
        } catch {
            throw .noLAN(interface: name, reason: error.isMissing ? "there is none of this name" : "\(error)")
        }
    }

    private static func explanation(of error: SystemError) -> String {
        switch error.errno {
        case .EPERM, .EACCES: "packet sockets take the right CAP_NET_RAW; fix: sudo nat64sim serve …"
        case .EINVAL: "it is no Ethernet"
        default: "\(error)"
        }
    }

    private static func forwards(_ interface: String) -> Bool {
        ["ipv4", "ipv6"].contains { SystemControl.read("/proc/sys/net/\($0)/conf/\(interface)/forwarding") == "1" }
    }
}

extension IPAddress {
    fileprivate var isLinkLocal: Bool {
        switch self {
        case .ipv4(let address): address.isLinkLocal
        case .ipv6(let address): address.isLinkLocal
        }
    }
}
