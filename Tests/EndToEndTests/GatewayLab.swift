// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

/// A lab whose host has a bridge, with hosts of one prefix on it that have no IPv4.
///
///     fd00:db8:7::11, ::12, ::13 ──── bridge fd00:db8:7::1 │ host │ ──── the lab's server
final class GatewayLab {
    let lab: Lab
    private var keepers: [Process] = []
    private let resolvers: URL

    static let prefix = "fd00:db8:7::/64"
    /// Of the DNS64, where nothing else is asked for.
    static let resolver = "2e00:2:0:1::1"

    static func address(_ client: Int) -> String { "fd00:db8:7::1\(client + 1)" }

    /// - Parameter resolver: whom the hosts ask for names.
    init(clients: Int = 3, resolver: String = resolver) throws {
        lab = try Lab()
        try lab.startResolver()
        resolvers = Binaries.scratch.appending(path: "g\(UUID().uuidString.prefix(8)).conf")
        try "nameserver \(resolver)\n".write(to: resolvers, atomically: true, encoding: .utf8)
        try host(
            "ip link add pods type bridge", "ip link set pods up", "ip address add fd00:db8:7::1/64 dev pods nodad",
            "sysctl -qw net.ipv6.conf.all.forwarding=0")
        for number in 0..<clients { try addClient(number) }
        // The kernel makes addresses of its own, and routes for them, a moment later.
        try eventually("settled links") {
            try lab.output(at: .host, "sh", "-c", "ip -6 address show tentative; ip -brief link | grep LOWERLAYERDOWN")
                .text
                .isEmpty
        }
    }

    private func addClient(_ number: Int) throws {
        let keeper = try lab.start(at: .host, "unshare", "--net", "sleep", "infinity")
        keepers.append(keeper)
        let host = try lab.output(at: .host, "readlink", "/proc/self/ns/net").text
        try eventually("a namespace") {
            try lab.output(inNetworkOf: keeper.processIdentifier, "readlink", "/proc/self/ns/net").text != host
        }
        try self.host(
            "ip link add pod\(number) type veth peer name eth0 netns \(keeper.processIdentifier)",
            "ip link set pod\(number) master pods up")
        for line in [
            "ip link set lo up", "ip link set eth0 up", "ip address add \(Self.address(number))/64 dev eth0 nodad",
            "ip route add default via fd00:db8:7::1",
        ] { #expect(try at(number, line).status == 0, Comment(rawValue: line)) }
    }

    /// Runs commands on the host.
    func host(_ lines: String...) throws {
        for line in lines {
            let output = try lab.output(at: .host, "sh", "-c", line)
            try #require(output.status == 0, Comment(rawValue: "\(line): \(output.text)"))
        }
    }

    /// Runs a command of the shell on one of the hosts of the bridge.
    func at(_ client: Int, _ line: String) throws -> Lab.Output {
        try lab.output(
            inNetworkOf: keepers[client].processIdentifier, "unshare", "--mount", "sh", "-c",
            "mount --bind \(resolvers.path) /etc/resolv.conf; \(line)")
    }

    /// Starts a program on one of the hosts of the bridge.
    func start(_ client: Int, _ program: String, _ argument: String) throws -> Process {
        try lab.start(
            at: .host, "nsenter", "--target", "\(keepers[client].processIdentifier)", "--net", program, argument)
    }

    /// Whether a host of the bridge is answered by a web server.
    func reaches(_ host: String, from client: Int = 0) throws -> Bool {
        try at(client, "curl -gs -m 3 -o /dev/null http://\(host)/").status == 0
    }

    /// What is on the host that a gateway may change.
    func state() throws -> String {
        try lab.output(
            at: .host, "sh", "-c",
            """
            nft list ruleset; ip -brief link; ip -brief address; ip route; ip -6 route | sed 's/ expires [0-9]*sec//'
            cd /proc/sys/net; cat ipv4/ip_forward; for f in ipv6/conf/*/*forwarding ipv6/conf/*/accept_ra; do echo $f $(cat $f); done
            """
        ).text
    }

    deinit { for keeper in keepers { keeper.endAtOnce() } }
}

/// `nat64sim gateway` on a lab's host.
final class RunningGateway {
    let folder: URL
    private let process: Process
    private let logFile: URL

    convenience init(at lab: GatewayLab, _ options: String...) throws { try self.init(at: lab, options: options) }

    /// - Parameters:
    ///   - options: beside the prefix of the bridge's hosts.
    ///   - isAwaited: whether it is to serve before this returns.
    init(at lab: GatewayLab, options: [String], isAwaited: Bool = true) throws {
        folder = Binaries.scratch.appending(path: "w\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        logFile = folder.appending(path: "log")
        try Data().write(to: logFile)
        process = try .start(
            try lab.lab.atHost(as: .root)
                + [Binaries.nat64sim, "gateway", "--sockets", folder.path, "--from", GatewayLab.prefix] + options,
            errors: try FileHandle(forWritingTo: logFile))
        let deadline = ContinuousClock.now + .seconds(20)
        while isAwaited, !isReady, process.isRunning, ContinuousClock.now < deadline { usleep(20_000) }
    }

    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }
    var isReady: Bool { log.contains("gateway: ready") }
    var told: Comment { Comment(rawValue: log) }

    /// What a command of `nat64sim` says of it.
    func ask(_ words: String...) throws -> Output {
        try EndToEndTests.run(
            [Binaries.nat64sim] + words + ["--socket", "\(folder.path)/control.sock"], as: .root)
    }

    /// Ends it and waits for that.
    /// - Returns: its exit status.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        if process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit { end() }
}
