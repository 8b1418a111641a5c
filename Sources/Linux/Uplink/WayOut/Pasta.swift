// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxNet
internal import Netlink
import Router
internal import Sandbox
internal import Wire

/// Connects a namespace of our own to the host's network without any rights, by pasta (Debian package passt), which opens an ordinary
/// socket on the host for each connection that a packet requests.
///
///     init, on the host's network ──► (this process enters its namespace) ──► attach
struct Pasta: ~Copyable, Sendable {
    /// A link that cannot occur in another network (RFC 7335: between a host's own IPv4 and its uplink).
    private static let address = IPv4Address(192, 0, 0, 2)
    private static let gateway = IPv4Address(192, 0, 0, 1)
    /// Queries to this address are passed on to the host's resolver, if that is on the host's loopback.
    static let resolver = IPv4Address(192, 0, 0, 3)

    /// Addresses that clients must not reach, whatever the configuration allows.
    static let link = Set([address, gateway, resolver].map(IPAddress.ipv4))

    /// pasta itself would outlive us, so it runs in the background of a script that ends with us. (It does not start if SIGPIPE
    /// is ignored; passt 2023-03-09.)
    private static let commands = """
        command -v pasta >/dev/null || { echo missing; exit; }
        read -r process || exit
        exec 4<&0
        pasta "$@" "$process" </dev/null 4<&- &
        pasta=$!
        { while read -r _; do :; done; kill -KILL $pasta; } <&4 >/dev/null 2>&1 &
        watcher=$!
        exec 4<&-
        wait $pasta
        kill -KILL $watcher
        """

    /// Nothing is forwarded from the host to us, nor from us to the host's loopback, whatever the address or port.
    private static let options = [
        "--foreground", "--quiet", "--config-net", "--ns-ifname", "uplink",
        "--address", "\(address)", "--netmask", "29", "--gateway", "\(gateway)",
        "--no-dhcp", "--no-dhcpv6", "--no-ra", "--no-map-gw",
        "--tcp-ports", "none", "--udp-ports", "none", "--tcp-ns", "none", "--udp-ns", "none",
    ]

    private let script: Coprocess

    /// The host's resolvers, at the addresses by which they are reached through pasta.
    static func resolvers(for host: [IPAddress]) throws(UplinkError) -> [IPAddress] {
        var resolvers: [IPAddress] = []
        for server in host {
            let seen: IPAddress
            switch server {
            case .ipv4(let address): seen = .ipv4(address.isLoopback ? resolver : address)
            case .ipv6(.loopback): continue
            case .ipv6: seen = server
            }
            if !resolvers.contains(seen) { resolvers.append(seen) }
        }
        if resolvers.isEmpty { throw .resolvers }
        return resolvers
    }

    /// To be called in the host's namespaces.
    /// - Parameter needsResolver: whether queries must be passed on to the host's loopback; pasta reads resolv.conf itself.
    init(needsResolver: Bool) throws(UplinkError) {
        // Not with `--dns`: pasta (2023-03-09) passes no queries for those servers on to the loopback.
        let resolution = needsResolver ? ["--dns-forward", "\(Self.resolver)"] : ["--dns", "none"]
        do throws(SystemError) {
            script = try Coprocess(Self.commands, arguments: Self.options + resolution)
        } catch {
            throw .wayOut("\(error)")
        }
    }

    /// Connects the namespaces that this process is in now, and waits until there is a route out.
    borrowing func attach() throws(UplinkError) {
        script.send("\(getpid())")
        let deadline = MonotonicClock.now() + .seconds(10)
        var said: [UInt8] = []
        while !hasRoute {
            let now = MonotonicClock.now()
            let outcome = script.receive(&said, until: now + .milliseconds(20)) { _ in false }
            if outcome == .timeUp && now < deadline { continue }
            let words = Coprocess.lines(said)
            throw Self.error(words)
        }
    }

    /// Determined from pasta's last output. Only pasta's own attempt shows whether it can have a device: it makes its TUN with its own
    /// rights.
    private static func error(_ words: [String]) -> UplinkError {
        if words == ["missing"] { return .noWayOut }
        if words.contains(where: { $0.contains(" tun ") || $0.contains("/dev/net/tun") }),
            let obstacle = TUNDevice.obstacle
        {
            return .noDevice(SandboxObstacle.tun(obstacle))
        }
        // pasta becomes `nobody`, which may not access a process of root.
        let ofRoot =
            geteuid() == 0 ? "; fix: run this as an ordinary user, or with CAP_NET_ADMIN and CAP_SYS_ADMIN" : ""
        return .wayOut(reason(words) + ofRoot)
    }

    /// Looks up the route to a public address; nothing is sent.
    private var hasRoute: Bool {
        let somewhere = IPAddress.ipv4(IPv4Address(192, 0, 0, 9))
        let source = try? RouteSocket().source(towards: somewhere)
        return source != nil
    }

    /// The output without complaints that there is no system log.
    private static func reason(_ words: [String]) -> String {
        let own = words.filter { !$0.hasSuffix("to syslog") }
        return own.isEmpty ? "it has ended without a word" : own.joined(separator: "; ")
    }
}
