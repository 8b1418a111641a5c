// SPDX-License-Identifier: Apache-2.0
internal import CNetlink
internal import Glibc
package import Wire

extension RouteSocket {
    /// Makes the kernel form addresses from advertised prefixes with the last 64 bits of this address. The kernel refuses it for an
    /// interface that does not resolve neighbours (IFF_NOARP).
    ///
    /// libnl-route does not send the attribute, so the message is made here:
    ///
    ///     ifinfomsg, IFLA_AF_SPEC { AF_INET6 { IFLA_INET6_TOKEN: 16 octets } }
    package borrowing func setInterfaceIdentifier(
        of address: IPv6Address, for link: NetworkInterface.Index
    ) throws(NetlinkError) {
        let (action, subject) = ("set the interface identifier of", "link \(link)")
        guard let message = unsafe nlmsg_alloc_simple(Int32(RTM_SETLINK), 0) else {
            throw NetlinkError(action, subject, code: NLE_NOMEM)
        }
        var header = ifinfomsg()
        header.ifi_index = link.number
        var token = (address.bits & UInt128(UInt64.max)).bigEndian
        var result = unsafe nlmsg_append(
            message, &header, MemoryLayout<ifinfomsg>.size, Int32(NLMSG_ALIGNTO))
        if let families = unsafe nla_nest_start(message, Int32(IFLA_AF_SPEC)),
            let family = unsafe nla_nest_start(message, AF_INET6)
        {
            result = min(
                result,
                unsafe nla_put(message, Int32(IFLA_INET6_TOKEN), Int32(MemoryLayout<UInt128>.size), &token))
            unsafe nla_nest_end(message, family)
            unsafe nla_nest_end(message, families)
        } else {
            result = -NLE_NOMEM
        }
        guard result == 0 else {
            unsafe nlmsg_free(message)
            throw NetlinkError(action, subject, code: NLE_NOMEM)
        }
        // nl_send_sync frees the message.
        try socket.check(unsafe nl_send_sync(socket.pointer, message), action, subject)
    }
}
