// SPDX-License-Identifier: Apache-2.0
import Topology
internal import Glibc
internal import LinuxNet
internal import Netlink
internal import Wire

/// The client's interface: made in its own network namespace; the runner gets the other end.
enum ClientInterface {
    static func make(_ network: ClientNetwork) throws(SandboxError) -> LinkDevice {
        let link = try LinkDevice.make(network.interface)
        try configure(network, isTUN: link.isTUN)
        return link
    }

    /// Adds addresses and routes to the interface, which must exist.
    static func configure(_ network: ClientNetwork, isTUN: Bool) throws(SandboxError) {
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: network.interface).index
            try routeSocket.change(.loopback, LinkChange(isUp: true))
            // The kernel adds 127.0.0.1 when the loopback comes up.
            if !network.hasIPv4Loopback {
                try routeSocket.remove(IPv4Address(127, 0, 0, 1), prefixLength: 8, from: .loopback)
            }
            if let side = network.ipv6, side.isAdvertised {
                try routeSocket.prepare(link, named: network.interface, toMake: side.address, isTUN: isTUN)
            }
            try routeSocket.change(
                link, LinkChange(isUp: true, mtu: network.mtu, generatesLinkLocalAddress: false))
            try routeSocket.waitUntilRunning(network.interface)
            try routeSocket.add(network, to: link)
        } catch {
            throw SandboxObstacle.network(error)
        }
        permitPing()
    }

    /// Waits until the client has formed its address, if its router advertises itself.
    static func awaitAdvertisement(_ network: ClientNetwork) throws(SandboxError) {
        guard let side = network.ipv6, side.isAdvertised else { return }
        do throws(NetlinkError) {
            try RouteSocket().waitUntilLocal([side.address], within: .seconds(5))
        } catch {
            throw SandboxError(
                .network, "the client has made no address from the router's advertisements within 5 s (\(error))")
        }
    }

    /// A socket that the client can send to, without a file.
    static func makeSocket(_ name: String) throws(SandboxError) -> AbstractSocket {
        // A non-blocking sender loses datagrams that do not fit into the queue, and the default of 10 is small. If the setting cannot be
        // changed, the receiver has to be quick.
        try? SystemControl.write("512", to: "/proc/sys/net/unix/max_dgram_qlen")
        do throws(SystemError) {
            return try AbstractSocket.bind(name)
        } catch {
            throw SandboxError(.network, error)
        }
    }

    /// The addresses at which a client reaches services on its own machine.
    static let loopbackAddresses: [IPAddress] = [.ipv4(IPv4Address(127, 0, 0, 1)), .ipv6(.loopback)]

    /// A socket that listens for the client and that another process serves. Not every network has 127.0.0.1, but the client may move to
    /// one that has.
    static func makeListener(at address: IPAddress, _ port: UInt16) throws(SandboxError) -> StreamListener {
        do throws(SystemError) {
            return try StreamListener(
                bindingTo: SocketAddress(address, port: port), backlog: 4096, mayLackAddress: true)
        } catch {
            throw SandboxError(.network, error)
        }
    }

    /// Lets an ordinary user's ping use ICMP sockets (net.ipv4.ping_group_range, which applies to IPv6 too), as distributions do; in a new
    /// network namespace no process may.
    private static func permitPing() {
        // Root may ping anyway, and no other group has a number in a user namespace. If /proc/sys is read-only, as in containers, ping
        // still works by its own capability.
        let group = getegid()
        try? SystemControl.write("\(group) \(group)", to: "/proc/sys/net/ipv4/ping_group_range")
    }
}

extension RouteSocket {
    /// Makes the kernel form this address from an advertised prefix: the router would not know the client by another. For a TUN the kernel
    /// takes the interface identifier from the link-local address; for an Ethernet interface it takes it from the Ethernet address unless
    /// it is configured, which it refuses for an interface that does not resolve neighbours.
    fileprivate borrowing func prepare(
        _ link: NetworkInterface.Index, named name: String, toMake address: IPv6Address, isTUN: Bool
    ) throws(NetlinkError) {
        if !isTUN {
            try change(link, LinkChange(resolvesNeighbours: true))
            try setInterfaceIdentifier(of: address, for: link)
            try change(link, LinkChange(resolvesNeighbours: false))
        }
        // The defaults of a new namespace. In another namespace they may differ, or this process may not change them.
        for (setting, value) in [("accept_ra", "2"), ("autoconf", "1"), ("use_tempaddr", "0")] {
            try? SystemControl.write(value, to: "/proc/sys/net/ipv6/conf/\(name)/\(setting)")
        }
    }
}
