// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Netlink
import Wire

/// The link of a client in the network namespace of the test, with the way to the NAT64.
enum ClientTUN {
    static let address = IPv6Address("2e00:2:0:1::c0:100")!

    static func make() throws -> TUNDevice {
        let tun = try TUNDevice.create(name: "client0")
        let socket = try RouteSocket()
        try socket.change(.loopback, LinkChange(isUp: true))
        let index = try socket.link(named: tun.name).index
        try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: false))
        try socket.add(address, prefixLength: 128, to: index)
        try socket.add(Route(to: .ipv6(IPv6Prefix("64:ff9b::/96")!), link: index))
        try socket.waitUntilLocal([address])
        return tun
    }
}
