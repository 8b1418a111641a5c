// SPDX-License-Identifier: Apache-2.0
package import Foundation
import TestSupport

/// A host on a network of its own, with a server on the far side and a client of the simulator on the near one.
///
///     client ──── nat64sim-7 │ host │ 203.0.113.2 ──── 203.0.113.1 server: 8.8.4.4, 10.9.9.9, … all with http
///     192.0.2.64             │      │ 2600:1::2         2600:1::1           2600:2::1
///
/// The host has a server, too, at each of its addresses. The one on the far side knows names (`names`) as well.
///
/// The client's link is a veth in place of a TUN: to the rules, an interface of that name is what counts. Nothing of this is
/// connected to anything else.
package final class Lab {
    /// Processes that do nothing but keep a network namespace each.
    private var keepers: [Place: Process] = [:]
    private var servers: [Process] = []

    package enum Place: CaseIterable {
        /// The neighbour is another simulator's client.
        case client, neighbour, host, server
    }

    package static let farAddresses = [
        "8.8.4.4", "8.8.8.8", "10.9.9.8", "10.9.9.9", "169.254.169.254", "168.63.129.16", "168.63.129.17",
        "100.100.100.200",
        "100.100.100.201", "192.88.99.1",
    ]

    package init() throws {
        for place in Place.allCases {
            keepers[place] = try Self.start(["unshare", "--net", "sleep", "infinity"])
        }
        // Until the namespace is another one than ours, unshare has not done its work.
        let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
        for keeper in keepers.values {
            try eventually("a namespace") {
                let path = "/proc/\(keeper.processIdentifier)/ns/net"
                return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != ours
            }
        }
        for place in Place.allCases { try run(at: place, "ip", "link", "set", "lo", "up") }
        try connect()
        for place in [Place.host, .server] {
            servers.append(
                try Self.start(
                    prefix(place) + ["python3", "-m", "http.server", "--directory", "/var/empty", "--bind", "::", "80"])
            )
            try eventually("a server") {
                try output(at: place, "curl", "-s", "-m", "1", "http://127.0.0.1/").status == 0
            }
        }
    }

    private func connect() throws {
        let server = keepers[.server]!.processIdentifier
        for line in [
            "ip link add outside type veth peer name inside netns \(server)",
            "ip address add 203.0.113.2/24 dev outside",
            "ip link set outside up", "ip route add default via 203.0.113.1",
            // A new namespace inherits the machine's setting.
            "sysctl -qw net.ipv4.ip_forward=0",
        ] { try run(at: .host, line) }
        for line in ["ip address add 203.0.113.1/24 dev inside", "ip link set inside up"]
            + Self.farAddresses.map({ "ip address add \($0)/32 dev lo" })
        { try run(at: .server, line) }
    }

    /// The records of the resolver at 203.0.113.1.
    package static let names = [
        "server.example": ["8.8.4.4"], "dual.example": ["8.8.4.4", "2600:2::1"], "private.example": ["10.9.9.9"],
    ]
    package static let resolver = "203.0.113.1"

    /// Starts the resolver.
    package func startResolver() throws {
        let table = Self.names.flatMap { name, addresses in addresses.map { "('\(name)', '\($0)')" } }
        let program = """
            import ipaddress, socket, struct
            table = [(name, ipaddress.ip_address(address)) for name, address in [\(table.joined(separator: ", "))]]
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.bind(("\(Self.resolver)", 53))
            while True:
                query, peer = s.recvfrom(4096)
                labels, at = [], 12
                while query[at]:
                    labels.append(query[at + 1:at + 1 + query[at]].decode().lower())
                    at += query[at] + 1
                kind, = struct.unpack("!H", query[at + 1:at + 3])
                version = {1: 4, 28: 6}.get(kind)
                found = [a.packed for n, a in table if n == ".".join(labels) and a.version == version]
                reply = query[:2] + struct.pack("!HHHHH", 0x8180, 1, len(found), 0, 0) + query[12:at + 5]
                for data in found:
                    reply += b"\\xc0\\x0c" + struct.pack("!HHIH", kind, 1, 60, len(data)) + data
                s.sendto(reply, peer)
            """
        servers.append(try Self.start(prefix(.server) + ["python3", "-c", program]))
        try eventually("the resolver") {
            try output(at: .server, "dig", "+time=1", "+tries=1", "@\(Self.resolver)", "server.example").status == 0
        }
    }

    /// Connects the host to the far side's IPv6, too.
    package func connectIPv6() throws {
        for line in [
            "ip address add 2600:1::2/64 dev outside nodad", "ip route add default via 2600:1::1",
        ] { try run(at: .host, line) }
        for line in [
            "ip address add 2600:1::1/64 dev inside nodad", "ip address add 2600:2::1/128 dev lo",
        ] { try run(at: .server, line) }
    }

    /// Puts the client behind the router in the network namespace of `process`, or in the host's.
    package func connectClient(to process: Int32? = nil) throws {
        try connect(.client, to: "nat64sim-7", network: "192.0.2", in: process)
    }

    /// Puts the neighbour behind the router of the second simulator on the host.
    package func connectNeighbour() throws {
        try connect(.neighbour, to: "nat64sim2-7", network: "198.19.1", in: nil)
    }

    private func connect(_ client: Place, to link: String, network: String, in process: Int32?) throws {
        for line in [
            "ip link add \(link) type veth peer name eth0 netns \(keepers[client]!.processIdentifier)",
            "ip link set \(link) up", "ip route add \(network).64/32 dev \(link)",
            "sysctl -qw net.ipv4.conf.\(link).proxy_arp=1",
        ] {
            let place = process ?? keepers[.host]!.processIdentifier
            try Self.check(Self.output(["nsenter", "--target", "\(place)", "--net"] + words(line)))
        }
        for line in [
            "ip address add \(network).64/24 dev eth0", "ip link set eth0 up", "ip route add default via \(network).1",
        ] { try run(at: client, line) }
    }

    /// Whether a client's request to an address is answered.
    package func reaches(_ address: String, from client: Place = .client) throws -> Bool {
        try output(at: client, "curl", "-s", "-m", "1", "http://\(address)/").status == 0
    }

    // MARK: Port 53

    /// Starts a service that answers whatever comes to port 53 of an address (of all, `0.0.0.0`), by UDP and TCP.
    package func startNames(on place: Place = .host, at address: String) throws {
        let program = """
            import socket, threading
            def make(kind):
                s = socket.socket(socket.AF_INET, kind)
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                s.bind(("\(address)", 53))
                return s
            def stream(s):
                s.listen()
                while True: s.accept()[0].sendall(b"hello")
            tcp, udp = make(socket.SOCK_STREAM), make(socket.SOCK_DGRAM)
            threading.Thread(target=stream, args=(tcp,), daemon=True).start()
            while True: udp.sendto(b"hello", udp.recvfrom(512)[1])
            """
        servers.append(try Self.start(prefix(place) + ["python3", "-c", program]))
        try eventually("port 53") {
            try names(from: place, at: address == "0.0.0.0" ? "127.0.0.1" : address) == ["udp", "tcp"]
        }
    }

    /// By which transports something at port 53 answers.
    package func names(from place: Place, at address: String) throws -> [String] {
        let program = """
            import socket
            for name, kind in ("udp", socket.SOCK_DGRAM), ("tcp", socket.SOCK_STREAM):
                s = socket.socket(socket.AF_INET, kind)
                s.settimeout(1)
                try:
                    s.connect(("\(address)", 53))
                    if name == "udp": s.send(b"hello")
                    if s.recv(5) == b"hello": print(name)
                except OSError: pass
            """
        return try output(at: place, "python3", "-c", program).text.split(separator: "\n").map(String.init)
    }

    // MARK: Commands

    package struct Output {
        package let command: String
        package let status: Int32
        package let text: String
    }

    package func prefix(_ place: Place) -> [String] {
        ["nsenter", "--target", "\(keepers[place]!.processIdentifier)", "--net"]
    }

    private func run(at place: Place, _ line: String) throws {
        try Self.check(Self.output(prefix(place) + words(line)))
    }

    private func run(at place: Place, _ words: String...) throws {
        try Self.check(Self.output(prefix(place) + words))
    }

    package func output(at place: Place, _ words: String...) throws -> Output {
        try Self.output(prefix(place) + words)
    }

    package func output(inNetworkOf process: Int32, _ words: String...) throws -> Output {
        try Self.output(["nsenter", "--target", "\(process)", "--net"] + words)
    }

    /// Starts a command that ends with this process, if not before.
    package func start(at place: Place, _ words: String...) throws -> Process {
        try Self.start(prefix(place) + words)
    }

    package func start(inNetworkOf process: Int32, _ words: [String]) throws -> Process {
        try Self.start(["nsenter", "--target", "\(process)", "--net"] + words)
    }

    private static func check(_ output: Output) throws {
        if output.status != 0 { throw CommandFailed(what: "\(output.command): \(output.text)") }
    }

    private static func output(_ words: [String]) throws -> Output {
        let end = try runToEnd(["timeout", "20"] + words)
        return Output(
            command: words.joined(separator: " "), status: end.status, text: end.text + end.standardError)
    }

    private static func start(_ words: [String]) throws -> Process {
        try .start(["setpriv", "--pdeathsig", "KILL"] + words)
    }

    deinit {
        for process in servers + keepers.values {
            process.endAtOnce()
        }
    }
}

private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

/// A command that prepares the lab, and what it said.
private struct CommandFailed: Error {
    let what: String
}

package struct NeverHappened: Error {
    let what: String
}

/// Waits for something that another process does.
package func eventually(_ what: String, _ condition: () throws -> Bool) throws {
    guard try comesTrue(condition) else { throw NeverHappened(what: what) }
}

/// The children of a process's main thread, and theirs.
package func descendants(of process: Int32) -> [Int32] {
    let path = "/proc/\(process)/task/\(process)/children"
    let children = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ").compactMap {
        Int32($0)
    }
    return children + children.flatMap(descendants)
}
