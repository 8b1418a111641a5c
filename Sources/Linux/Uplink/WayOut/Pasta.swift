// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxNet
internal import Netlink
import Router
internal import Sandbox
internal import Wire

/// The way out of a namespace of our own without any rights: pasta, of Debian's passt, which opens an ordinary socket on the
/// host for each connection that a packet asks for.
///
///     init, on the host's network ──► (this process enters its namespace) ──► attach
struct Pasta: ~Copyable, Sendable {
    /// A link that no other network can have (RFC 7335: between a host's own IPv4 and its way out).
    private static let address = IPv4Address(192, 0, 0, 2)
    private static let gateway = IPv4Address(192, 0, 0, 1)
    /// Questions to it are passed on to the host's resolver, where that is on the host's loopback.
    static let resolver = IPv4Address(192, 0, 0, 3)

    /// What clients have no business with, whatever the configuration allows.
    static let link = Set([address, gateway, resolver].map(IPAddress.ipv4))

    /// pasta itself would outlive us: it runs in the background of a script that ends with us. (It does not start where SIGPIPE
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

    /// Nothing is forwarded from the host to us, and nothing from us to the host's loopback, by no address and no port.
    private static let options = [
        "--foreground", "--quiet", "--config-net", "--ns-ifname", "uplink",
        "--address", "\(address)", "--netmask", "29", "--gateway", "\(gateway)",
        "--no-dhcp", "--no-dhcpv6", "--no-ra", "--no-map-gw",
        "--tcp-ports", "none", "--udp-ports", "none", "--tcp-ns", "none", "--udp-ns", "none",
    ]

    private let script: Coprocess

    /// The host's resolvers, as they are reached from behind pasta.
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
    /// - Parameter needsResolver: whether questions have to be passed on to the host's loopback; pasta reads resolv.conf itself.
    init(needsResolver: Bool) throws(UplinkError) {
        // Not by `--dns`: of the servers that it is told by that, pasta (2023-03-09) passes nothing on to the loopback.
        let resolution = needsResolver ? ["--dns-forward", "\(Self.resolver)"] : ["--dns", "none"]
        do throws(SystemError) {
            script = try Coprocess(Self.commands, arguments: Self.options + resolution)
        } catch {
            throw .wayOut("\(error)")
        }
    }

    /// Connects the namespaces that this process is in now, and waits until a route leads out.
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

    /// From its last words. Whether it has a device only its own attempt shows for certain: it makes its TUN with rights of its own.
    private static func error(_ words: [String]) -> UplinkError {
        if words == ["missing"] { return .noWayOut }
        if words.contains(where: { $0.contains(" tun ") || $0.contains("/dev/net/tun") }),
            let obstacle = TUNDevice.obstacle
        {
            return .noDevice(SandboxObstacle.tun(obstacle))
        }
        // It becomes nobody, who has no access to a process of root's.
        let ofRoot =
            geteuid() == 0 ? "; fix: run this as an ordinary user, or with CAP_NET_ADMIN and CAP_SYS_ADMIN" : ""
        return .wayOut(reason(words) + ofRoot)
    }

    /// The kernel is asked for the way to some public address; nothing is sent.
    private var hasRoute: Bool {
        let somewhere = IPAddress.ipv4(IPv4Address(192, 0, 0, 9))
        let source = try? RouteSocket().source(towards: somewhere)
        return source != nil
    }

    /// Without its complaints that there is no system log.
    private static func reason(_ words: [String]) -> String {
        let own = words.filter { !$0.hasSuffix("to syslog") }
        return own.isEmpty ? "it has ended without a word" : own.joined(separator: "; ")
    }
}
