import Topology
internal import Glibc
internal import LinuxNet
internal import Netlink
internal import Sandbox
internal import Wire

/// An interface that has the router's addresses and nothing behind it: a TUN that is not read.
///
/// It stands for the simulator's presence in a network that is not ours alone. It goes with the last process that holds its
/// descriptor, however that ends, and the addresses with it; and while it is there, no second one can be made.
struct Anchor: ~Copyable, Sendable {
    static let name = "nat64sim"

    private let tun: TUNDevice

    init(_ network: SimulatedNetwork) throws(UplinkError) {
        let tun = try Self.make()
        // Not before: a predecessor's addresses may have been there until then.
        if let clash = try HostAddresses.own().first(where: network.contains) { throw .clash(clash) }
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: Self.name).index
            try routeSocket.change(link, LinkChange(isUp: true, generatesLinkLocalAddress: false))
            try routeSocket.add(network.ipv4Router, prefixLength: 32, to: link)
            try routeSocket.add(network.ipv6Router, prefixLength: 128, to: link)
            try routeSocket.waitUntilLocal([network.ipv6Router])
        } catch {
            throw .network("\(error)")
        }
        self.tun = tun
    }

    /// For the owner that is to keep it.
    var descriptor: Int32 { tun.descriptor }

    /// A predecessor that has just been killed may still be tidying up.
    private static func make() throws(UplinkError) -> TUNDevice {
        let deadline = MonotonicClock.now() + .seconds(5)
        while true {
            do throws(SystemError) {
                return try TUNDevice.create(name: name)
            } catch {
                guard error.errno == .EBUSY else { throw .sandbox(Diagnosis.tun(error)) }
                if MonotonicClock.now() > deadline { throw .busy }
                usleep(20_000)
            }
        }
    }
}
