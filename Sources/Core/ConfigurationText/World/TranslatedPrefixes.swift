// SPDX-License-Identifier: Apache-2.0
package import Topology
import DNS64
package import Translation
import Wire

extension World {
    /// The prefixes that the NAT64 translates: those of the DNS64, or the well-known one if the DNS64 synthesises nothing.
    package var translatedPrefixes: [Pref64] { dns64.prefixes.isEmpty ? [.wellKnown] : dns64.prefixes }

    /// The reason why the network cannot have these prefixes; `nil` if it can. Addresses inside a prefix are translated, so no host that is
    /// to be reached directly may be there.
    /// - Parameter link: the client's link, on which no host can be either.
    package func objectionToPrefixes(on link: ClientLink) -> String? {
        if let host = (ipv6Addresses + routerAddresses.compactMap(\.ipv6)).first(where: link.prefix.contains) {
            return
                "\(host), which the world has, is on the client's own link, \(link.prefix); give the client another prefix"
        }
        for prefix in translatedPrefixes {
            if prefix.contains(link.router) {
                return
                    "the prefix \(prefix) contains the client's own link, \(link.prefix); give another, such as "
                    + "2001:db8:64::/96"
            }
            if let host = ipv6Addresses.first(where: prefix.contains) {
                return "the prefix \(prefix) contains \(host), a host of the world; give another prefix, or the host "
                    + "another address"
            }
            if let router = routerAddresses.lazy.compactMap(\.ipv6).first(where: prefix.contains) {
                return
                    "the prefix \(prefix) contains \(router), a router on the way to a host; give another prefix, or the "
                    + "router another address"
            }
        }
        return nil
    }
}
