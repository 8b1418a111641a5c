// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

extension EndToEnd {
    @Suite(.serialized, needsRoot) struct Uplink {
        @Test(arguments: User.withUplink)
        func `a server with IPv4 alone is reached by its name`(user: User) throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: user)
            #expect(try serving.reaches("server.example"))
            #expect(try serving.reaches("[64:ff9b::808:404]"))
        }

        @Test(arguments: User.withUplink)
        func `what is not public and the host itself are out of reach`(user: User) throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: user)
            for address in [
                // 169.254.169.254, 10.9.9.9, 203.0.113.2 and 127.0.0.1 under the well-known prefix.
                "64:ff9b::a9fe:a9fe", "64:ff9b::a09:909", "64:ff9b::cb00:7102", "64:ff9b::7f00:1",
                // The router, where only the DNS64 listens, and an address of the host.
                "2e00:2:0:1::1", "64:ff9b::c000:201", "2600:1::2",
            ] {
                #expect(try !serving.reaches("[\(address)]"), "\(address)")
            }
            #expect(try !serving.reaches("private.example"))
        }

        @Test(arguments: User.withUplink)
        func `exceptions are reached by address and by name`(user: User) throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: user, "--allow", "10.9.9.9")
            #expect(try serving.reaches("[64:ff9b::a09:909]"))
            #expect(try serving.reaches("private.example"))
            #expect(try !serving.reaches("[64:ff9b::a09:908]"))
        }

        @Test(arguments: User.withUplink)
        func `exceptions come and go with the configuration`(user: User) throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: user, configured: "uplink: host")
            #expect(try !serving.reaches("[64:ff9b::a09:909]"))
            try serving.reload("uplink: { network: host, allow: [10.9.9.9] }")
            try eventually("what is allowed is reached") { try serving.reaches("[64:ff9b::a09:909]") }
            try serving.reload("uplink: host")
            try eventually("what is allowed no more is not") { try !serving.reaches("[64:ff9b::a09:909]") }
        }

        @Test func `another prefix carries nothing else either`() throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: .root, "--prefix", "2001:db8:64::/96", "--allow", "10.9.9.9")
            #expect(try serving.reaches("server.example"))
            #expect(try serving.reaches("[2001:db8:64::a09:909]"))
            #expect(try !serving.reaches("[2001:db8:64::a09:908]"))
            #expect(try !serving.reaches("[2001:db8:64::a9fe:a9fe]"))
        }

        @Test(arguments: User.withUplink)
        func `names with both families are reached where the host has no IPv6`(user: User) throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: user)
            #expect(try serving.reaches("dual.example"))
            #expect(try serving.addresses(of: "dual.example") == ["64:ff9b::808:404"])
        }

        @Test(arguments: User.withUplink)
        func `a host with IPv6 lends it`(user: User) throws {
            let lab = try Lab()
            try lab.connectIPv6()
            // An ordinary user's namespace has its own forwarding.
            if user == .root { _ = try lab.output(at: .host, "sysctl", "-qw", "net.ipv6.conf.all.forwarding=1") }
            let serving = try Serving(at: lab, as: user)
            #expect(try serving.addresses(of: "dual.example") == ["2600:2::1"])
            #expect(try serving.reaches("[2600:2::1]"))
            #expect(try serving.reaches("dual.example"))
            #expect(try serving.reaches("server.example"))
            #expect(try !serving.reaches("[2600:1::2]"))
        }

        /// Only as root: pasta 2023-03-09 answers no ping here, and refuses a connection with a segment that a TCP must ignore
        /// (RFC 9293 §3.10.7.3: a RST without ACK in SYN-SENT).
        @Test func `ping is answered and a closed port says so`() throws {
            let lab = try Lab()
            let serving = try Serving(at: lab, as: .root)
            #expect(try serving.run("ping", "-c", "1", "-W", "2", "64:ff9b::808:404").status == 0)
            let refused = try serving.run("curl", "-sS", "-m", "20", "http://[64:ff9b::808:404]:81/")
            #expect(refused.standardError.contains("curl: (7)"))
        }

        @Test(arguments: User.withUplink)
        func `nothing is left of it`(user: User) throws {
            let lab = try Lab()
            let view = "nft list ruleset; ip -brief link; ip -brief address; cat /proc/sys/net/ipv4/ip_forward"
            let before = try lab.output(at: .host, "sh", "-c", view).text
            for signal in [SIGTERM, SIGKILL] {
                let serving = try Serving(at: lab, as: user)
                serving.end(signal)
                try eventually("the host is as it was") {
                    try lab.output(at: .host, "sh", "-c", view).text == before
                }
            }
        }

        @Test func `two daemons and a run of ipv6check share a host`() throws {
            let lab = try Lab()
            let first = try Serving(at: lab, as: .root)
            let second = try Serving(at: lab, as: .root)
            let run = try EndToEndTests.run(
                try lab.atHost(as: .root) + [Binaries.ipv6check, "--uplink", "host", "--"]
                    + ["curl", "-sS", "-m", "20", "-o", "/dev/null", "http://server.example/"])
            expectPass(run)
            #expect(run.standardError.contains("server.example  tcp 80  64:ff9b::808:404 → 8.8.4.4"))
            for serving in [first, second] { #expect(try serving.reaches("server.example")) }
            // The resolver's IPv4 address there differs from the first daemon's.
            let dual = try second.run(
                on: "dual-stack", "sh", "-c",
                "grep nameserver /etc/resolv.conf; dig +short @198.19.1.1 server.example A; curl -4sS -m 20 -o /dev/null http://server.example/"
            )
            #expect(dual.status == 0, dual.told)
            #expect(dual.text == "nameserver 198.19.1.1\nnameserver 2e00:2:0:101::1\n8.8.4.4\n")
            // The first daemon's router is out of reach.
            #expect(try second.run("ping", "-c", "1", "-W", "1", "2e00:2:0:1::1").status != 0)
            first.end(SIGKILL)
            #expect(try second.reaches("server.example"))
            second.end(SIGTERM)
            try eventually("nothing is left") {
                try !lab.output(at: .host, "sh", "-c", "nft list ruleset; ip -brief link").text.contains("nat64sim")
            }
        }

        @Test func `what cannot be meant is said before anything is done`() throws {
            let both = try EndToEndTests.run([Binaries.nat64sim, "serve", "--allow", "10.0.0.1"])
            #expect(both.status == 2)
            #expect(both.standardError == "nat64sim: --allow: it goes with --uplink host\n")

            let wrong = try EndToEndTests.run([Binaries.nat64sim, "serve", "--uplink", "host", "--allow", "10.0.0.300"])
            #expect(wrong.status == 2)
            #expect(wrong.standardError.contains("'10.0.0.300' is neither an IPv4 prefix"))

            let world = Binaries.root.appending(path: "fixtures/worlds/demo.yaml").path
            let hosts = try EndToEndTests.run([Binaries.nat64sim, "serve", "--uplink", "host", "--world", world])
            #expect(hosts.status == 2)
            #expect(hosts.standardError.contains("a world can have no hosts"))
        }
    }
}

extension Lab {
    /// The prefix of a command on the host, which makes it use the lab's resolver.
    /// - Parameter mount: a further shell command, run in the command's mount namespace.
    func atHost(as user: User, mounting mount: String = "true") throws -> [String] {
        let resolvers = Binaries.scratch.appending(path: "uplink-resolv.conf")
        try "nameserver \(Lab.resolver)\n".write(to: resolvers, atomically: true, encoding: .utf8)
        let mounts = "mount --bind \(resolvers.path) /etc/resolv.conf; \(mount); exec \"$@\""
        return prefix(.host) + ["unshare", "--mount", "sh", "-c", mounts, "sh"] + user.prefix
    }
}

/// `nat64sim serve --uplink host` on a lab's host.
private final class Serving {
    private let lab: Lab
    private let process: Process
    private let user: User
    private let folder: String

    /// - Parameter configuration: a file without its first line, with an uplink; `--uplink host` if `nil`.
    init(at lab: Lab, as user: User, configured configuration: String? = nil, _ options: String...) throws {
        self.lab = lab
        self.user = user
        let folder = Binaries.scratch.appending(path: "u\(UUID().uuidString.prefix(8))")
        self.folder = folder.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        try lab.startResolver()
        let file = folder.appending(path: "nat64sim.yaml")
        if let configuration { try Self.write(configuration, to: file) }
        let far = configuration == nil ? ["--uplink", "host"] : ["--config", file.path]
        let log = folder.appending(path: "log")
        try Data().write(to: log)
        process = try .start(
            try lab.atHost(as: user) + [Binaries.nat64sim, "serve", "--sockets", folder.path] + far + options,
            errors: try FileHandle(forWritingTo: log))

        var said = ""
        while !said.contains(" ready ") {
            try #require(process.isRunning, "\(said)")
            usleep(20_000)
            said = try String(contentsOf: log, encoding: .utf8)
        }
    }

    private static func write(_ configuration: String, to file: URL) throws {
        try Data("version: 1\n\(configuration)\n".utf8).write(to: file)
    }

    /// Makes the daemon read another configuration.
    func reload(_ configuration: String) throws {
        try Self.write(configuration, to: URL(filePath: folder + "/nat64sim.yaml"))
        kill(process.processIdentifier, SIGHUP)
    }

    func run(on network: String = "nat64", _ command: String...) throws -> Output {
        let check = [
            Binaries.ipv6check, "-q", "--control", "never", "--network", network, "--simulator",
            "unix:\(folder)/attach.sock", "--",
        ]
        return try EndToEndTests.run(check + command, as: user)
    }

    func reaches(_ host: String) throws -> Bool {
        try run("curl", "-s", "-m", "3", "http://\(host)/").status == 0
    }

    func addresses(of name: String) throws -> [String] {
        try run("dig", "+short", "AAAA", name).text.split(separator: "\n").map(String.init)
    }

    func end(_ signal: Int32) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { end(SIGTERM) }
    }
}
