// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Netlink

/// An Ethernet link (veth) between the network namespace of the calling thread and one that is made just for its other end.
///
/// That namespace has no program and no other interface, so nothing answers, sends or forwards packets that are meant for us, and the
/// client sees only its own interface. The kernel keeps the namespace as long as the packet socket is open; both interfaces disappear
/// with it.
///
/// The client's interface has IFF_NOARP, as a TUN has: the kernel sends to any neighbour without asking for its address, and does no
/// duplicate address detection. The alternative, answering ARP and neighbour solicitations, would put packets into each capture that
/// do not occur on a TUN, and delay the first packet of each run.
enum EthernetPair {
    /// Needs CAP_SYS_ADMIN, CAP_NET_ADMIN and CAP_NET_RAW.
    static func make(_ name: String) throws(SandboxError) -> EthernetDevice {
        let result = try inOtherNamespace { (here) throws(SandboxError) in try makeOtherEnd(name, of: here) }
        let device = try result.get()
        try wrap { () throws(SystemError) in try EthernetDevice.limitOffloads(of: name) }
        try change(name, LinkChange(resolvesNeighbours: false))
        return device
    }

    /// Runs the body in a new network namespace, with a descriptor of the thread's own.
    private static func inOtherNamespace(
        _ body: (borrowing Descriptor) throws(SandboxError) -> EthernetDevice
    ) throws(SandboxError) -> Result<EthernetDevice, SandboxError> {
        try wrap { () throws(SystemError) in
            let here = try Descriptor.open("/proc/thread-self/ns/net", flags: O_RDONLY)
            if clinux_unshare(Int32(clinux_new_network)) != 0 {
                throw SystemError("unshare(CLONE_NEWNET)", Errno(errno))
            }
            let result = Result { () throws(SandboxError) in try body(here) }
            if clinux_enter_network(here.number) != 0 { throw SystemError("setns", Errno(errno)) }
            return result
        }
    }

    private static func makeOtherEnd(
        _ name: String, of namespace: borrowing Descriptor
    ) throws(SandboxError) -> EthernetDevice {
        // Checked before there is an interface, which would outlive the refusal briefly, and be mistaken for another's.
        guard CapabilitySets.current().effective & CapabilitySets.packetSockets != 0 else {
            throw SandboxObstacle.ethernetPair(SystemError("socket(AF_PACKET)", .EPERM))
        }
        do throws(NetlinkError) {
            try RouteSocket().addEthernetPair(
                named: name, address: EthernetDevice.ownAddress, peerAddress: EthernetDevice.peerAddress,
                in: namespace)
        } catch {
            throw SandboxObstacle.ethernetPair(error)
        }
        // The client's interface sets the MTU of the link.
        try change(name, LinkChange(isUp: true, mtu: largestMTU, generatesLinkLocalAddress: false))
        return try wrap { () throws(SystemError) in try EthernetDevice.open(interface: name) }
    }

    private static func change(_ name: String, _ change: LinkChange) throws(SandboxError) {
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            try routeSocket.change(routeSocket.link(named: name).index, change)
        } catch {
            throw SandboxObstacle.ethernetPair(error)
        }
    }

    private static func wrap<Value: ~Copyable>(
        _ body: () throws(SystemError) -> Value
    ) throws(SandboxError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw SandboxObstacle.ethernetPair(error)
        }
    }

    /// The largest MTU of an Ethernet interface in Linux (ETH_MAX_MTU).
    private static let largestMTU = 65_535
}
