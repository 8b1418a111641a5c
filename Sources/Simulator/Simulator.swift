import DNS64
public import Findings
public import LinuxNet
import NAT64
import Sandbox
public import Translation
import Wire
public import World

/// The far side of a simulated network, and the wiring between it and the clients.
///
/// Theory of operation. The process is in a network namespace of its own (`WorldNamespace`). `init` makes the link and the
/// world's addresses there and starts the DNS server and the hermetic servers; all of them serve until `stop`, one run
/// after another. `connect` puts one client on a network: it starts the packet path between the client's TUN and the world's.
public final class Simulator {
    /// The prefix under which IPv4 hosts appear on a `nat64` network.
    public let pref64: Pref64
    private let world: World
    private let link: WorldLink
    private let dns: DNSService
    private let servers: ServerGroup

    /// - Parameter authority: signs the certificates of the https hosts; the client is to trust it.
    public init(world: World, pref64: Pref64, authority: CertificateAuthority) throws(SimulatorError) {
        self.world = world
        self.pref64 = pref64
        do throws(SandboxError) {
            link = try WorldLink(world)
        } catch {
            throw .network(error)
        }
        do throws(SystemError) {
            dns = try DNSService(
                ResolverConfiguration(
                    store: RecordStore(world.records), networks: Self.networks(world: world, pref64: pref64)),
                listeningOn: [SocketAddress(NetworkPlan.router, port: 53)])
            try dns.start()
        } catch {
            throw .dns(error)
        }
        servers = try ServerGroup(world, pref64: pref64, authority: authority)
    }

    /// Puts the client at the other end of `tun` on `network`, until the connection is ended.
    /// - Parameter capture: gets every packet of both sides.
    public func connect(
        _ tun: consuming TUNDevice, to network: Network, capture: (any PacketTap)? = nil
    ) throws(SimulatorError) -> Connection {
        let translator = AddressTranslator(prefixes: network == .nat64 ? [pref64] : [])
        let output = PathOutput(client: tun, world: link, translator: translator, tap: capture)
        do throws(SystemError) {
            let loop = try PathLoop(
                output: output, translator: translator,
                forwarding: Forwarding(
                    mtu: NetworkPlan.mtu, ipv6Router: NetworkPlan.router, ipv4Router: NetworkPlan.ipv4Router),
                client: PathLoop.ClientAddresses(ipv6: network.ipv6Client, ipv4: network.ipv4Client),
                nat64: network == .nat64 ? makeNAT64() : nil)
            let path = try PacketPath(loop)
            try path.start()
            return Connection(path: path, dns: dns, client: network.ipv6Client)
        } catch {
            throw .path(error)
        }
    }

    /// Ends everything that serves.
    public func stop() {
        servers.stop()
        dns.stop()
    }

    private func makeNAT64() -> NAT64 {
        var configuration = NAT64Configuration(
            prefixes: [pref64], pool: NetworkPlan.pool,
            errors: ErrorPolicy(ipv6Source: NetworkPlan.router, ipv4Source: NetworkPlan.ipv4Router))
        configuration.exemptIPv4 = Self.exempt(world)
        configuration.translation = TranslationOptions(ipv6MTU: NetworkPlan.mtu, ipv4MTU: NetworkPlan.mtu)
        do throws(ConfigurationError) {
            return try NAT64(configuration, seed: Self.seed, now: MonotonicClock.now())
        } catch {
            preconditionFailure("the network plan contradicts itself: \(error)")
        }
    }

    /// The same input is to have the same ports and identifications, here and where `nat64sim translate` replays a capture: it is
    /// the default of its configuration file, too.
    private static let seed: UInt64 = 0

    /// The world's own addresses are documentation addresses, which the well-known prefix would not carry (RFC 6052 §3.1).
    private static func exempt(_ world: World) -> [IPv4Prefix] {
        (world.ipv4Addresses + NetworkPlan.pool + [NetworkPlan.ipv4Router]).compactMap { IPv4Prefix($0, length: 32) }
    }

    private static func networks(world: World, pref64: Pref64) -> [DNS64.ClientNetwork] {
        var synthesising = SynthesisPolicy(prefix: pref64)
        synthesising.exemptIPv4 = exempt(world)
        return [
            DNS64.ClientNetwork(clients: .only(Network.nat64.ipv6Client), policy: synthesising),
            DNS64.ClientNetwork(clients: .only(Network.dualStack.ipv6Client), policy: .plain),
        ]
    }
}

extension AddressMatchList {
    fileprivate static func only(_ address: IPv6Address) -> AddressMatchList {
        AddressMatchList([Element(.ipv6(IPv6Prefix(address, length: 128)!))])
    }
}
