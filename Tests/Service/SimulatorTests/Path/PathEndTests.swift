import Topology
import CLinux
import Evidence
import LinuxNet
import NAT64
import Netlink
import Sandbox
import Synchronization
import TestSupport
import Testing
import Translation
import Wire
import World

@testable import Simulator

/// The end of a packet path, with a real link, in a network namespace of the test's own.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `A packet path that ends` {
    /// The queue of a TUN holds 500 packets; the path takes 64 of them at a time.
    private static let datagrams = 300
    private static let payload = [UInt8](repeating: 7, count: 10)

    @Test func `has seen what the client sent before`() throws {
        try OwnNetwork.run {
            let tun = try Self.clientLink()
            let output = PathOutput(
                client: tun, world: try WorldLink(.demo, uplink: nil, place: .first, mtu: 1500),
                translator: AddressTranslator(prefixes: [.wellKnown]), faults: LinkFaults(), tap: nil)
            let loop = try PathLoop(
                output: output, translator: AddressTranslator(prefixes: [.wellKnown]),
                forwarding: Forwarding(
                    links: LinkPlan(), ipv6Router: NetworkPlan.router, ipv4Router: NetworkPlan.ipv4Router),
                client: PathLoop.ClientAddresses(
                    ipv6: NetworkPlan.client, ipv4: nil, pool: NetworkPlan.poolAddress),
                nat64: nil)
            let mailbox = try PathMailbox()
            try loop.prepare(mailbox)
            try Self.send()

            // The thread finds that it is to stop when it first has its turn.
            mailbox.requestStop()
            loop.run()
            #expect(output.flows.flows.map(\.bytesSent) == [UInt64(Self.datagrams * Self.payload.count)])
        }
    }

    private static func clientLink() throws -> TUNDevice {
        let tun = try TUNDevice.create(name: "client0")
        let socket = try RouteSocket()
        try socket.change(.loopback, LinkChange(isUp: true))
        let index = try socket.link(named: tun.name).index
        try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: false))
        try socket.add(NetworkPlan.client, prefixLength: 128, to: index)
        try socket.add(Route(to: .ipv6(IPv6Prefix("64:ff9b::/96")!), link: index))
        try socket.waitUntilLocal([NetworkPlan.client])
        return tun
    }

    private static func send() throws {
        let socket = try DatagramSocket(bindingTo: SocketAddress(NetworkPlan.client, port: 0))
        let peer = SocketAddress(IPv6Address("64:ff9b::c633:6407")!, port: 9)
        var batch = DatagramBatch(datagramCapacity: payload.count)
        for _ in 0..<datagrams {
            batch.removeAll()
            _ = batch.append(payload.span, to: peer)
            let sent = socket.send(batch)
            #expect(sent == 1)
        }
    }
}
