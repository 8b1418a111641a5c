// SPDX-License-Identifier: Apache-2.0
internal import Netlink
import Router
internal import Sandbox
internal import Wire

/// The host's network: its own addresses, and whether it can be used for IPv6.
enum HostAddresses {
    /// All addresses of all interfaces.
    static func own() throws(UplinkError) -> Set<IPAddress> {
        do throws(NetlinkError) {
            return Set(try RouteSocket().addresses())
        } catch {
            throw .network("\(error)")
        }
    }

    /// Whether a route leads to some public address, of either family.
    static func haveRoute() throws(UplinkError) -> Bool {
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            if try routeSocket.source(towards: .ipv4(somewhereIPv4)) != nil { return true }
            return try routeSocket.source(towards: .ipv6(somewhere)) != nil
        } catch {
            throw .network("\(error)")
        }
    }

    /// Whether a router on this host can forward clients' packets: it needs a route to the public IPv6 Internet, a public source address
    /// of its own, and forwarding switched on. The uplink never switches it on for the host itself: a host that
    /// forwards IPv6 no longer listens to router advertisements.
    static func haveIPv6() -> Bool {
        guard SystemControl.read(forwardingIPv6) == "1", let routeSocket = try? RouteSocket(),
            case .ipv6(let source) = try? routeSocket.source(towards: .ipv6(somewhere))
        else { return false }
        return AllowedDestinations.publicIPv6.contains(source)
    }

    static let forwardingIPv6 = "/proc/sys/net/ipv6/conf/all/forwarding"

    /// Destinations for route look-ups; nothing is sent to them.
    private static let somewhere = IPv6Address("2000::1")!
    private static let somewhereIPv4 = IPv4Address(1, 0, 0, 1)
}
