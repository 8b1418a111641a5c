// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

/// A lab whose host has a bridge with IPv6-only hosts.
class BridgedHosts {
    let lab: Lab
    fileprivate let bridge: String
    fileprivate var keepers: [Process] = []
    private let resolvers: URL

    /// The DNS64's default address.
    static let resolver = "2e00:2:0:1::1"

    /// - Parameters:
    ///   - bridge: the name of the bridge.
    ///   - resolver: the resolver of the hosts.
    fileprivate init(bridge: String, resolver: String) throws {
        self.bridge = bridge
        lab = try Lab()
        try lab.startResolver()
        resolvers = Binaries.scratch.appending(path: "g\(UUID().uuidString.prefix(8)).conf")
        try "nameserver \(resolver)\n".write(to: resolvers, atomically: true, encoding: .utf8)
        try host(
            "ip link add \(bridge) type bridge", "ip link set \(bridge) up",
            "sysctl -qw net.ipv6.conf.all.forwarding=0")
    }

    /// - Parameter lines: commands to set the host up.
    fileprivate func addHost(_ lines: [String]) throws {
        let number = keepers.count
        let keeper = try lab.start(at: .host, "unshare", "--net", "sleep", "infinity")
        keepers.append(keeper)
        let host = try lab.output(at: .host, "readlink", "/proc/self/ns/net").text
        try eventually("a namespace") {
            try lab.output(inNetworkOf: keeper.processIdentifier, "readlink", "/proc/self/ns/net").text != host
        }
        let port = "\(bridge)\(number)"
        try self.host(
            "ip link add \(port) type veth peer name eth0 netns \(keeper.processIdentifier)",
            "ip link set \(port) master \(bridge) up")
        for line in ["ip link set lo up"] + lines {
            #expect(try at(number, line).status == 0, Comment(rawValue: line))
        }
    }

    /// Runs commands on the host.
    func host(_ lines: String...) throws {
        for line in lines {
            let output = try lab.output(at: .host, "sh", "-c", line)
            try #require(output.status == 0, Comment(rawValue: "\(line): \(output.text)"))
        }
    }

    /// Runs a shell command on one of the bridge's hosts.
    func at(_ host: Int, _ line: String) throws -> Lab.Output {
        try lab.output(
            inNetworkOf: keepers[host].processIdentifier, "unshare", "--mount", "sh", "-c",
            "mount --bind \(resolvers.path) /etc/resolv.conf; \(line)")
    }

    /// Starts a program on one of the bridge's hosts.
    func start(_ host: Int, _ words: String...) throws -> Process {
        try lab.start(inNetworkOf: keepers[host].processIdentifier, words)
    }

    /// Whether a host of the bridge gets an answer from a web server.
    func reaches(_ server: String, from host: Int = 0) throws -> Bool {
        try at(host, "curl -gs -m 3 -o /dev/null http://\(server)/").status == 0
    }

    /// Makes a large transfer, one with fragments and one through a smaller MTU, from the first host.
    func expectTransfers(_ told: Comment) throws {
        let program = """
            import http.server, socket, threading
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200); self.end_headers(); self.wfile.write(bytes(20_000_000))
                def do_PUT(self):
                    self.rfile.read(int(self.headers["Content-Length"])); self.send_response(200); self.end_headers()
            u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            u.bind(("8.8.4.4", 7))
            def echo():
                while True: u.sendto(*u.recvfrom(65535))
            threading.Thread(target=echo, daemon=True).start()
            http.server.ThreadingHTTPServer(("8.8.4.4", 8080), Handler).serve_forever()
            """
        let server = try lab.start(at: .server, "python3", "-c", program)
        defer { server.endAtOnce() }
        try eventually("the server") {
            try lab.output(at: .server, "curl", "-s", "-o", "/dev/null", "http://8.8.4.4:8080/").status == 0
        }
        let size = try at(0, "curl -s -m 10 http://server.example:8080/ | wc -c").text
        #expect(size.trimmingCharacters(in: .whitespacesAndNewlines) == "20000000", told)
        let echo = """
            import socket
            s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); s.settimeout(3)
            s.sendto(bytes(5000), ("64:ff9b::808:404", 7)); print(len(s.recv(9000)))
            """
        #expect(try at(0, "python3 -c '\(echo)'").text == "5000\n", told)
        // RFC 7915 §4.2: Fragmentation Needed becomes Packet Too Big, 20 octets larger.
        try host("ip link set outside mtu 1300")
        let up = try at(
            0,
            "head -c 3000000 /dev/zero >/tmp/up$$; curl -sS -m 10 -T /tmp/up$$ http://server.example:8080/; e=$?; rm /tmp/up$$; exit $e"
        )
        #expect(up.status == 0, Comment(rawValue: up.text))
    }

    /// The state of the host that a daemon may change.
    func state() throws -> String {
        try lab.output(
            at: .host, "sh", "-c",
            """
            nft list ruleset; ip -brief link; ip -details link | grep -o 'promiscuity [0-9]*'; ip -brief address; ip route; ip -6 route | sed 's/ expires [0-9]*sec//'
            cd /proc/sys/net; cat ipv4/ip_forward; for f in ipv6/conf/*/*forwarding ipv6/conf/*/accept_ra; do echo $f $(cat $f); done
            """
        ).text
    }

    deinit { for keeper in keepers { keeper.endAtOnce() } }
}

/// A lab whose bridge has a prefix of its own.
///
///     fd00:db8:7::11, ::12, ::13 ──── bridge fd00:db8:7::1 │ host │ ──── the lab's server
final class GatewayLab: BridgedHosts {
    static let prefix = "fd00:db8:7::/64"

    static func address(_ client: Int) -> String { "fd00:db8:7::1\(client + 1)" }

    init(clients: Int = 3, resolver: String = resolver) throws {
        try super.init(bridge: "pods", resolver: resolver)
        try host("ip address add fd00:db8:7::1/64 dev pods nodad")
        for number in 0..<clients {
            try addHost([
                "ip link set eth0 up", "ip address add \(Self.address(number))/64 dev eth0 nodad",
                "ip route add default via fd00:db8:7::1",
            ])
        }
        // The kernel adds link-local addresses, and routes for them, a moment later.
        try eventually("settled links") {
            try lab.output(at: .host, "sh", "-c", "ip -6 address show tentative; ip -brief link | grep LOWERLAYERDOWN")
                .text
                .isEmpty
        }
    }
}

/// A lab whose bridge has no address: its hosts are devices that configure their own addresses.
final class DeviceLab: BridgedHosts {
    static let interface = "lan"

    static func mac(_ device: Int) -> String { "02:00:5e:20:00:0\(device + 1)" }

    /// - Parameter isForwarding: whether the host forwards packets.
    init(devices: Int = 2, isForwarding: Bool = false) throws {
        try super.init(bridge: Self.interface, resolver: Self.resolver)
        if isForwarding { try host("sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1") }
        for number in 0..<devices {
            // A solicitation that is sent before there is a router is repeated only seconds later.
            try addHost([
                "ip link set eth0 address \(Self.mac(number))",
                "sysctl -qw net.ipv6.conf.eth0.router_solicitation_interval=1",
            ])
        }
    }

    /// Switches a device on and waits until it has an address.
    func switchOn(_ device: Int) throws {
        _ = try at(device, "ip link set eth0 up")
        try awaitAddress(of: device)
    }

    func awaitAddress(of device: Int) throws {
        try eventually("an address of device \(device)") { try !addresses(of: device).isEmpty }
    }

    /// The addresses that a device uses.
    func addresses(of device: Int) throws -> [String] {
        try at(device, "ip -6 -o address show dev eth0 scope global -deprecated -tentative").text.split(separator: "\n")
            .compactMap {
                $0.split(separator: " ").first { $0.hasSuffix("/64") }.map { String($0.dropLast(3)) }
            }
    }
}

/// `nat64sim gateway` or `serve --lan` on a lab's host.
final class RunningGateway {
    let folder: URL
    private let process: Process
    private let logFile: URL

    convenience init(at lab: GatewayLab, _ options: String...) throws { try self.init(at: lab, options: options) }

    /// - Parameters:
    ///   - options: further ones, besides the prefix of the bridge's hosts.
    ///   - isAwaited: whether to wait until it is ready.
    convenience init(at lab: GatewayLab, options: [String], isAwaited: Bool = true) throws {
        try self.init(at: lab, ["gateway", "--from", GatewayLab.prefix] + options, isAwaited: isAwaited)
    }

    /// `serve --lan` for a lab's devices.
    convenience init(for lab: DeviceLab, _ options: String..., isAwaited: Bool = true) throws {
        try self.init(at: lab, ["serve", "--lan", DeviceLab.interface] + options, isAwaited: isAwaited)
    }

    private init(at lab: BridgedHosts, _ words: [String], isAwaited: Bool) throws {
        folder = Binaries.scratch.appending(path: "w\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        logFile = folder.appending(path: "log")
        try Data().write(to: logFile)
        process = try .start(
            try lab.lab.atHost(as: .root)
                + [Binaries.nat64sim, words[0], "--sockets", folder.path] + words.dropFirst(),
            errors: try FileHandle(forWritingTo: logFile))
        if isAwaited { _ = comesTrue { isReady || !process.isRunning } }
    }

    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }
    var isReady: Bool { log.contains("nat64sim gateway: ready") || log.contains("nat64sim serve: ready") }
    var told: Comment { Comment(rawValue: log) }

    /// Runs a command of `nat64sim` on its control socket.
    func ask(_ words: String...) throws -> Output {
        try EndToEndTests.run(
            [Binaries.nat64sim] + words + ["--socket", "\(folder.path)/control.sock"], as: .root)
    }

    /// Ends the process and waits for its exit.
    /// - Returns: its exit status.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        if process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit { end() }
}
