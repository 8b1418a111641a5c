import Topology
internal import Glibc
internal import LinuxNet
internal import Netlink
internal import Wire

/// The client's interface: made in its own network namespace, whose other end the runner gets.
enum ClientLink {
    static func make(_ network: ClientNetwork) throws(SandboxError) -> LinkDevice {
        let link = try LinkDevice.make(network.interface)
        try configure(network)
        return link
    }

    /// Gives the interface, which is there, its addresses and routes.
    static func configure(_ network: ClientNetwork) throws(SandboxError) {
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: network.interface).index
            try routeSocket.change(.loopback, LinkChange(isUp: true))
            // The kernel gives it as the link comes up.
            if !network.hasIPv4Loopback {
                try routeSocket.remove(IPv4Address(127, 0, 0, 1), prefixLength: 8, from: .loopback)
            }
            try routeSocket.change(
                link, LinkChange(isUp: true, mtu: network.mtu, generatesLinkLocalAddress: false))
            try routeSocket.waitUntilRunning(network.interface)
            try routeSocket.add(network, to: link)
        } catch {
            throw Diagnosis.network(error)
        }
        permitPing()
    }

    /// A socket that the client can send to, and that no file stands for.
    static func makeSocket(_ name: String) throws(SandboxError) -> AbstractSocket {
        // A sender that does not wait loses what does not fit, and 10 datagrams are few. Where the setting cannot be
        // changed, the receiver has to be quick.
        try? SystemControl.write("512", to: "/proc/sys/net/unix/max_dgram_qlen")
        do throws(SystemError) {
            return try AbstractSocket.bind(name)
        } catch {
            throw SandboxError(.network, error)
        }
    }

    /// Lets an ordinary user's ping use ICMP sockets (net.ipv4.ping_group_range, for IPv6 too), as distributions do; a new
    /// network namespace lets no process.
    private static func permitPing() {
        // Root may ping anyway, and in a user namespace no other group has a number. Where /proc/sys is read-only, as
        // in containers, ping still works by its own capability.
        let group = getegid()
        try? SystemControl.write("\(group) \(group)", to: "/proc/sys/net/ipv4/ping_group_range")
    }
}
