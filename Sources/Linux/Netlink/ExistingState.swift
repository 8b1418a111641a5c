// SPDX-License-Identifier: Apache-2.0
internal import CNetlink
internal import Glibc
package import Wire

// Queries of existing addresses and routes, in a network namespace that others have configured.

extension RouteSocket {
    /// Every address of every interface.
    /// - Parameter link: restricts the result to this interface; `nil` for all.
    package borrowing func addresses(of link: NetworkInterface.Index? = nil) throws(NetlinkError) -> [IPAddress] {
        var cache: OpaquePointer?
        let result = unsafe rtnl_addr_alloc_cache(socket.pointer, &cache)
        try socket.check(result, "list", "addresses")
        guard let cache = unsafe cache else { return [] }
        defer { unsafe nl_cache_free(cache) }
        var addresses: [IPAddress] = []
        var entry = unsafe nl_cache_get_first(cache)
        while let address = unsafe entry {
            let isAsked = unsafe link == nil || link?.number == rtnl_addr_get_ifindex(address)
            if isAsked, let local = unsafe rtnl_addr_get_local(address), let known = unsafe IPAddress(local) {
                addresses.append(known)
            }
            unsafe entry = nl_cache_get_next(address)
        }
        return addresses
    }

    /// The address from which this host sends to `destination`; `nil` if there is no route.
    package borrowing func source(towards destination: IPAddress) throws(NetlinkError) -> IPAddress? {
        guard let route = try route(towards: destination), unsafe rtnl_route_get_type(route.pointer) == RTN_UNICAST,
            let source = unsafe rtnl_route_get_pref_src(route.pointer)
        else { return nil }
        return unsafe IPAddress(source)
    }

    /// The name of the interface by which this host sends to `destination`; `nil` if there is no route, or it is this host's own address.
    package borrowing func interface(towards destination: IPAddress) throws(NetlinkError) -> String? {
        guard let route = try route(towards: destination), unsafe rtnl_route_get_type(route.pointer) == RTN_UNICAST,
            let hop = unsafe rtnl_route_nexthop_n(route.pointer, 0)
        else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { name in
            unsafe if_indextoname(UInt32(rtnl_route_nh_get_ifindex(hop)), name.baseAddress!).map {
                unsafe String(cString: $0)
            }
        }
    }

    /// The kernel's route to a host; `nil` if it has none.
    borrowing func route(towards destination: IPAddress) throws(NetlinkError) -> LibnlRoute? {
        guard let raw = LibnlAddress(destination) else {
            throw NetlinkError("look up", "\(destination)", code: NLE_NOMEM)
        }
        var found: OpaquePointer?
        let result = unsafe rtnl_route_lookup(socket.pointer, raw.pointer, &found)
        guard result == 0, let found = unsafe found else { return nil }
        return unsafe LibnlRoute(owning: found)
    }
}

extension LibnlAddress {
    fileprivate init?(_ address: IPAddress) {
        switch address {
        case .ipv4(let address): self.init(address, prefixLength: 32)
        case .ipv6(let address): self.init(address, prefixLength: 128)
        }
    }
}

extension IPAddress {
    /// `nil` if it is of another family, or not a full-length address.
    fileprivate init?(_ raw: OpaquePointer) {
        guard let octets = unsafe nl_addr_get_binary_addr(raw) else { return nil }
        switch (unsafe nl_addr_get_family(raw), unsafe nl_addr_get_len(raw)) {
        case (AF_INET, 4):
            self = .ipv4(unsafe IPv4Address(bits: UInt32(bigEndian: octets.loadUnaligned(as: UInt32.self))))
        case (AF_INET6, 16):
            self = .ipv6(unsafe IPv6Address(bits: UInt128(bigEndian: octets.loadUnaligned(as: UInt128.self))))
        default: return nil
        }
    }
}
