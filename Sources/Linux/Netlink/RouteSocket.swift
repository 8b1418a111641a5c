// SPDX-License-Identifier: Apache-2.0
internal import CNetlink
internal import Glibc
package import LinuxNet
package import Wire

/// A netlink connection for links, addresses and routes of one network namespace: the calling thread's namespace when the connection was
/// made.
package struct RouteSocket: ~Copyable {
    let socket: LibnlSocket

    package init() throws(NetlinkError) {
        guard let socket = LibnlSocket() else {
            throw NetlinkError("open", "rtnetlink", code: NLE_NOMEM)
        }
        let result = unsafe nl_connect(socket.pointer, NETLINK_ROUTE)
        try socket.check(result, "open", "rtnetlink")
        self.socket = socket
    }

    /// Takes over a route socket, which acts on the network namespace in which it was made.
    package init(adopting descriptor: consuming Descriptor) throws(NetlinkError) {
        guard let socket = LibnlSocket() else {
            throw NetlinkError("open", "rtnetlink", code: NLE_NOMEM)
        }
        // libnl owns the descriptor from here on if this succeeds.
        let result = unsafe nl_socket_set_fd(socket.pointer, NETLINK_ROUTE, descriptor.number)
        try socket.check(result, "use", "rtnetlink")
        _ = descriptor.release()
        self.socket = socket
    }

    /// For another process to take over.
    package var descriptor: Int32 { unsafe nl_socket_get_fd(socket.pointer) }

    // MARK: - Links

    /// Finds an interface by its name.
    package borrowing func link(named name: String) throws(NetlinkError) -> NetworkInterface {
        var found: OpaquePointer?
        let result = unsafe rtnl_link_get_kernel(socket.pointer, 0, name, &found)
        try socket.check(result, "find", "link \(name)")
        guard let found = unsafe found else { throw NetlinkError("find", "link \(name)", code: NLE_NODEV) }
        let link = unsafe LibnlLink(owning: found)
        return unsafe NetworkInterface(
            index: NetworkInterface.Index(rtnl_link_get_ifindex(link.pointer)), name: name,
            mtu: Int(rtnl_link_get_mtu(link.pointer)),
            isUp: rtnl_link_get_flags(link.pointer) & IFF_UP.rawValue != 0,
            isPort: rtnl_link_get_master(link.pointer) != 0,
            isRunning: rtnl_link_get_flags(link.pointer) & IFF_RUNNING.rawValue != 0)
    }

    package borrowing func change(_ index: NetworkInterface.Index, _ change: LinkChange) throws(NetlinkError) {
        guard let original = LibnlLink(), let addressing = LibnlLink(), let rest = LibnlLink() else {
            throw NetlinkError("change", "link \(index)", code: NLE_NOMEM)
        }
        unsafe rtnl_link_set_ifindex(original.pointer, index.number)

        // The address generation mode must be set before the link comes up, and in a message with both changes the kernel brings it up
        // first.
        if let generates = change.generatesLinkLocalAddress {
            let mode = generates ? IN6_ADDR_GEN_MODE_EUI64 : IN6_ADDR_GEN_MODE_NONE
            var result = unsafe rtnl_link_inet6_set_addr_gen_mode(addressing.pointer, UInt8(mode.rawValue))
            if result == 0 { result = unsafe rtnl_link_change(socket.pointer, original.pointer, addressing.pointer, 0) }
            try socket.check(result, "set the address generation of", "link \(index)")
        }
        if change.isUp == nil && change.mtu == nil && change.resolvesNeighbours == nil
            && change.acceptsOwnSources == nil && change.checksSources == nil
        {
            return
        }
        for (setting, value) in [
            (IPV4_DEVCONF_ACCEPT_LOCAL, change.acceptsOwnSources), (IPV4_DEVCONF_RP_FILTER, change.checksSources),
        ] {
            guard let value else { continue }
            let result = unsafe rtnl_link_inet_set_conf(rest.pointer, UInt32(setting), value ? 1 : 0)
            try socket.check(result, "change what is taken from", "link \(index)")
        }
        if let mtu = change.mtu { unsafe rtnl_link_set_mtu(rest.pointer, UInt32(clamping: mtu)) }
        switch change.isUp {
        case true: unsafe rtnl_link_set_flags(rest.pointer, IFF_UP.rawValue)
        case false: unsafe rtnl_link_unset_flags(rest.pointer, IFF_UP.rawValue)
        default: break
        }
        switch change.resolvesNeighbours {
        case true: unsafe rtnl_link_unset_flags(rest.pointer, IFF_NOARP.rawValue)
        case false: unsafe rtnl_link_set_flags(rest.pointer, IFF_NOARP.rawValue)
        default: break
        }
        let result = unsafe rtnl_link_change(socket.pointer, original.pointer, rest.pointer, 0)
        try socket.check(result, "change", "link \(index)")
    }

    /// Waits until an interface that has been brought up is reported as running. Programs check that (Java's isUp, libuv's list
    /// of addresses), and for an Ethernet interface the kernel sets it asynchronously.
    package borrowing func waitUntilRunning(_ name: String) throws(NetlinkError) {
        let deadline = MonotonicClock.now() + .seconds(2)
        while try !link(named: name).isRunning {
            if MonotonicClock.now() > deadline { throw NetlinkError("use the", "link \(name)", code: NLE_AGAIN) }
            usleep(50)
        }
    }

    /// Makes an Ethernet link of two interfaces of this name (veth), one here and one in another network namespace.
    /// - Parameter namespace: the other namespace: a descriptor of its file in /proc.
    package borrowing func addEthernetPair(
        named name: String, address: EthernetAddress, peerAddress: EthernetAddress,
        in namespace: borrowing Descriptor
    ) throws(NetlinkError) {
        let subject = "Ethernet link \(name)"
        guard let raw = unsafe rtnl_link_veth_alloc() else { throw NetlinkError("make the", subject, code: NLE_NOMEM) }
        let link = unsafe LibnlLink(owning: raw)
        guard let own = LibnlAddress(address), let other = LibnlAddress(peerAddress),
            let rawPeer = unsafe rtnl_link_veth_get_peer(link.pointer)
        else { throw NetlinkError("make the", subject, code: NLE_NOMEM) }
        let peer = unsafe LibnlLink(owning: rawPeer)
        unsafe rtnl_link_set_ifindex(link.pointer, Self.indexOfPair)
        unsafe rtnl_link_set_name(link.pointer, name)
        unsafe rtnl_link_set_addr(link.pointer, own.pointer)
        unsafe rtnl_link_set_name(peer.pointer, name)
        unsafe rtnl_link_set_addr(peer.pointer, other.pointer)
        unsafe rtnl_link_set_ns_fd(peer.pointer, namespace.number)
        let result = unsafe rtnl_link_add(socket.pointer, link.pointer, Int32(NLM_F_CREATE | NLM_F_EXCL))
        try socket.check(result, "make the", subject)
    }

    /// Differs from the other interface's index. If both have the same index, the kernel regards them as one, and takes up to a second to
    /// report it as running (linkwatch_urgent_event).
    private static let indexOfPair: Int32 = 1 << 30

    // MARK: - Addresses

    package borrowing func add(_ address: IPv4Address, prefixLength: Int, to link: NetworkInterface.Index)
        throws(NetlinkError)
    {
        try add(
            LibnlAddress(address, prefixLength: prefixLength), flags: 0, to: link, "\(address)/\(prefixLength)")
    }

    /// Adds an address without duplicate address detection. The kernel accepts packets for it only a moment later: see `waitUntilLocal`.
    package borrowing func add(_ address: IPv6Address, prefixLength: Int, to link: NetworkInterface.Index)
        throws(NetlinkError)
    {
        try add(
            LibnlAddress(address, prefixLength: prefixLength), flags: UInt32(IFA_F_NODAD), to: link,
            "\(address)/\(prefixLength)")
    }

    /// Waits until packets for these addresses are received. The kernel makes the necessary route asynchronously, on a busy machine some
    /// milliseconds after it has confirmed the address, and forwards or drops earlier packets.
    /// - Parameter limit: more than an added address ever takes, unless the link is down.
    package borrowing func waitUntilLocal(
        _ addresses: [IPv6Address], within limit: Duration = .seconds(1)
    ) throws(NetlinkError) {
        let deadline = MonotonicClock.now() + limit
        var pause: UInt32 = 50
        for address in addresses {
            while try !isLocal(address) {
                if MonotonicClock.now() > deadline {
                    throw NetlinkError("use the address", "\(address)", code: NLE_AGAIN)
                }
                usleep(pause)
                pause = min(pause + pause / 4, 2_000)
            }
        }
    }

    private borrowing func isLocal(_ address: IPv6Address) throws(NetlinkError) -> Bool {
        guard let route = try route(towards: .ipv6(address)) else { return false }
        return unsafe rtnl_route_get_type(route.pointer) == RTN_LOCAL
    }

    private borrowing func add(
        _ local: consuming LibnlAddress?, flags: UInt32, to link: NetworkInterface.Index, _ subject: String
    ) throws(NetlinkError) {
        guard let local, let address = LibnlInterfaceAddress() else {
            throw NetlinkError("add the address", subject, code: NLE_NOMEM)
        }
        unsafe rtnl_addr_set_ifindex(address.pointer, link.number)
        unsafe rtnl_addr_set_flags(address.pointer, flags)
        var result = unsafe rtnl_addr_set_local(address.pointer, local.pointer)
        if result == 0 { result = unsafe rtnl_addr_add(socket.pointer, address.pointer, 0) }
        try socket.check(result, "add the address", subject)
    }

    package borrowing func remove(_ address: IPv4Address, prefixLength: Int, from link: NetworkInterface.Index)
        throws(NetlinkError)
    {
        try remove(LibnlAddress(address, prefixLength: prefixLength), from: link, "\(address)/\(prefixLength)")
    }

    package borrowing func remove(_ address: IPv6Address, prefixLength: Int, from link: NetworkInterface.Index)
        throws(NetlinkError)
    {
        try remove(LibnlAddress(address, prefixLength: prefixLength), from: link, "\(address)/\(prefixLength)")
    }

    private borrowing func remove(
        _ local: consuming LibnlAddress?, from link: NetworkInterface.Index, _ subject: String
    ) throws(NetlinkError) {
        guard let local, let address = LibnlInterfaceAddress() else {
            throw NetlinkError("remove the address", subject, code: NLE_NOMEM)
        }
        unsafe rtnl_addr_set_ifindex(address.pointer, link.number)
        var result = unsafe rtnl_addr_set_local(address.pointer, local.pointer)
        if result == 0 { result = unsafe rtnl_addr_delete(socket.pointer, address.pointer, 0) }
        try socket.check(result, "remove the address", subject)
    }

    // MARK: - Routes

    package borrowing func add(_ route: Route) throws(NetlinkError) {
        guard let raw = LibnlRoute.make(route) else { throw NetlinkError("add the route", "\(route)", code: NLE_NOMEM) }
        let result = unsafe rtnl_route_add(socket.pointer, raw.pointer, NLM_F_EXCL)
        try socket.check(result, "add the route", "\(route)")
    }

    package borrowing func remove(_ route: Route) throws(NetlinkError) {
        guard let raw = LibnlRoute.make(route) else {
            throw NetlinkError("remove the route", "\(route)", code: NLE_NOMEM)
        }
        let result = unsafe rtnl_route_delete(socket.pointer, raw.pointer, 0)
        try socket.check(result, "remove the route", "\(route)")
    }
}

// The socket is the only owner of the connection.
extension RouteSocket: @unchecked Sendable {}
