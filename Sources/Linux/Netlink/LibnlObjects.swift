// SPDX-License-Identifier: Apache-2.0
internal import CNetlink
internal import Glibc
internal import LinuxNet
internal import Wire

// libnl's reference-counted objects, each with an owner that releases it. A failed step is a negative number: -NLE_….

/// A network address with a prefix length (`nl_addr`).
@safe
struct LibnlAddress: ~Copyable {
    let pointer: OpaquePointer

    init?(_ address: IPv4Address, prefixLength: Int) {
        self.init(number: address.bits.bigEndian, family: AF_INET, prefixLength: prefixLength)
    }

    init?(_ address: IPv6Address, prefixLength: Int) {
        self.init(number: address.bits.bigEndian, family: AF_INET6, prefixLength: prefixLength)
    }

    init?(_ address: EthernetAddress) {
        var octets = address.octets
        guard let pointer = unsafe nl_addr_build(AF_LLC, &octets, octets.count) else { return nil }
        unsafe self.pointer = pointer
    }

    init?(_ prefix: NetworkPrefix) {
        switch prefix {
        case .ipv4(let prefix): self.init(prefix.address, prefixLength: prefix.length)
        case .ipv6(let prefix): self.init(prefix.address, prefixLength: prefix.length)
        }
    }

    init?(_ gateway: Route.Gateway) {
        switch gateway {
        case .ipv4(let address): self.init(address, prefixLength: 32)
        case .ipv6(let address): self.init(address, prefixLength: 128)
        }
    }

    private init?<Number: FixedWidthInteger>(number: Number, family: Int32, prefixLength: Int) {
        var number = number
        guard let pointer = unsafe nl_addr_build(family, &number, MemoryLayout<Number>.size) else { return nil }
        unsafe nl_addr_set_prefixlen(pointer, Int32(clamping: prefixLength))
        unsafe self.pointer = pointer
    }

    deinit { unsafe nl_addr_put(pointer) }
}

/// A connection to the kernel (`nl_sock`), which remembers the errno of the last refusal: libnl has fewer error numbers.
@safe
struct LibnlSocket: ~Copyable {
    let pointer: OpaquePointer
    private let refusal: UnsafeMutablePointer<Int32>

    init?() {
        guard let pointer = unsafe nl_socket_alloc() else { return nil }
        unsafe self.pointer = pointer
        unsafe refusal = .allocate(capacity: 1)
        unsafe refusal.initialize(to: 0)
        unsafe nl_socket_modify_err_cb(
            pointer, NL_CB_CUSTOM,
            { _, message, refusal in
                let error = unsafe message!.pointee.error
                unsafe refusal!.assumingMemoryBound(to: Int32.self).pointee = -error
                return -nl_syserr2nlerr(error)
            }, refusal)
    }

    deinit {
        unsafe nl_socket_free(pointer)
        unsafe refusal.deallocate()
    }

    /// Throws if a request has failed: `result` is libnl's return value.
    borrowing func check(
        _ result: Int32, _ operation: String, _ subject: @autoclosure () -> String
    ) throws(NetlinkError) {
        let errno = unsafe refusal.pointee
        unsafe refusal.pointee = 0
        if result < 0 { throw NetlinkError(operation, subject(), code: result, errno: errno == 0 ? nil : Errno(errno)) }
    }
}

/// An interface, or the changes to make to one (`rtnl_link`).
@safe
struct LibnlLink: ~Copyable {
    let pointer: OpaquePointer

    init?() {
        guard let pointer = unsafe rtnl_link_alloc() else { return nil }
        unsafe self.pointer = pointer
    }

    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit { unsafe rtnl_link_put(pointer) }
}

/// An address of an interface (`rtnl_addr`).
@safe
struct LibnlInterfaceAddress: ~Copyable {
    let pointer: OpaquePointer

    init?() {
        guard let pointer = unsafe rtnl_addr_alloc() else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe rtnl_addr_put(pointer) }
}

/// A route (`rtnl_route`).
@safe
struct LibnlRoute: ~Copyable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    private init?() {
        guard let pointer = unsafe rtnl_route_alloc() else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe rtnl_route_put(pointer) }

    /// `nil` if there is no memory for it.
    static func make(_ route: Route) -> LibnlRoute? {
        guard let made = LibnlRoute(), let destination = LibnlAddress(route.destination),
            let hop = unsafe rtnl_route_nh_alloc()
        else { return nil }
        // The route now owns the hop, and has the family of its destination.
        unsafe rtnl_route_add_nexthop(made.pointer, hop)
        unsafe rtnl_route_set_dst(made.pointer, destination.pointer)
        unsafe rtnl_route_nh_set_ifindex(hop, route.link.number)
        if let gateway = route.gateway {
            guard let address = LibnlAddress(gateway) else { return nil }
            unsafe rtnl_route_nh_set_gateway(hop, address.pointer)
        }

        let isLocal = route.kind == .local
        let scope = isLocal ? RT_SCOPE_HOST : route.gateway == nil ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE
        unsafe rtnl_route_set_type(made.pointer, UInt8(isLocal ? RTN_LOCAL : RTN_UNICAST))
        unsafe rtnl_route_set_table(made.pointer, isLocal ? RT_TABLE_LOCAL.rawValue : RT_TABLE_MAIN.rawValue)
        unsafe rtnl_route_set_protocol(made.pointer, UInt8(RTPROT_STATIC))
        unsafe rtnl_route_set_scope(made.pointer, UInt8(scope.rawValue))
        if let mtu = route.mtu {
            unsafe rtnl_route_set_metric(made.pointer, Int32(RTAX_MTU), UInt32(clamping: mtu))
        }
        return made
    }
}
