// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

extension EndToEnd {
    /// `ipv6check --uplink host`, without a daemon.
    @Suite(.serialized, needsRoot) struct UplinkRun {
        private static let curl = ["curl", "-sS", "-m", "20", "-o", "/dev/null"]

        /// Runs `ipv6check --uplink host` on the lab's host, with the lab's resolver.
        private func check(
            at lab: Lab, as user: User, options: [String] = [], _ client: [String], mounting mount: String = "true"
        ) throws -> Output {
            try EndToEndTests.run(
                try lab.atHost(as: user, mounting: mount) + [Binaries.ipv6check, "--uplink", "host"] + options + ["--"]
                    + client)
        }

        @Test(arguments: User.withUplink)
        func `a server with IPv4 alone is reached by name and by literal`(user: User) throws {
            let lab = try Lab()
            try lab.startResolver()
            let report = Binaries.scratch.appending(path: "uplink-\(UUID()).json")
            let named = try check(
                at: lab, as: user, options: ["--json", report.path], Self.curl + ["http://server.example/"])
            expectPass(named)
            #expect(named.standardError.contains("server.example  tcp 80  64:ff9b::808:404 → 8.8.4.4"))
            #expect(named.standardError.contains("; the real network, IPv4 alone"))
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any])
            let uplink = json["uplink"] as? [String: Any]
            #expect(uplink?["network"] as? String == "host" && uplink?["ipv6"] as? Bool == false)
            let flows = ((json["runs"] as? [[String: Any]])?.first?["flows"] as? [[String: Any]]) ?? []
            #expect(flows.map { $0["translatedTo"] as? String } == ["8.8.4.4"])
            #expect(flows.map { $0["port"] as? Int } == [80])

            expectPass(try check(at: lab, as: user, Self.curl + ["http://[64:ff9b::808:404]/"]))
            // curl connects to an IPv4 literal itself: the control run reaches the real server.
            let literal = try check(at: lab, as: user, Self.curl + ["http://8.8.4.4/"])
            #expect(literal.status == 1)
            #expect(literal.standardError.contains("V6C-001"), Comment(rawValue: literal.standardError))
        }

        @Test(arguments: User.withUplink)
        func `what a client names to a real server in TLS is seen, at whatever port`(user: User) throws {
            let lab = try Lab()
            try lab.startResolver()
            let folder = Binaries.scratch.path
            let made = try EndToEndTests.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=server.example"]
                    + ["-keyout", "\(folder)/far.key", "-out", "\(folder)/far.crt"])
            try #require(made.status == 0, made.told)
            for port in ["443", "8443"] {
                _ = try lab.start(
                    at: .server, "openssl", "s_server", "-quiet", "-www", "-accept", port, "-key", "\(folder)/far.key",
                    "-cert", "\(folder)/far.crt")
                try eventually("a server of TLS") {
                    try lab.output(at: .server, "curl", "-sk", "https://127.0.0.1:\(port)/").status == 0
                }
            }
            let report = Binaries.scratch.appending(path: "uplink-\(UUID()).json")
            let client = [
                "curl", "-skS", "--fail-early", "--http1.1", "https://server.example/", "https://server.example:8443/",
                "--next", "-skS", "https://[64:ff9b::808:404]/",
            ]
            let output = try check(at: lab, as: user, options: ["--json", report.path], client)
            expectPass(output)
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any])
            let flows = ((json["runs"] as? [[String: Any]])?.first?["flows"] as? [[String: Any]]) ?? []
            let hellos = flows.map { ($0["tls"] as? [[String: Any]]) ?? [] }
            #expect(flows.map { $0["port"] as? Int } == [443, 8443], output.told)
            #expect(
                hellos.map { $0.map { $0["serverName"] as? String } } == [["server.example", nil], ["server.example"]])
            #expect(
                hellos.map { $0.map { $0["applicationProtocols"] as? [String] } } == [
                    [["http/1.1"], ["h2", "http/1.1"]], [["http/1.1"]],
                ])
            #expect(
                output.standardError.contains(
                    "TLS for server.example (http/1.1); TLS without a server name (h2, http/1.1)"))
        }

        @Test(arguments: User.withUplink)
        func `an address that is refused is refused on both networks`(user: User) throws {
            let lab = try Lab()
            for (ipv4, ipv6) in [
                ("169.254.169.254", "64:ff9b::a9fe:a9fe"), ("10.9.9.9", "64:ff9b::a09:909"),
                ("203.0.113.2", "64:ff9b::cb00:7102"),
            ] {
                let there = try check(
                    at: lab, as: user, options: ["--network", "dual-stack"], Self.curl + ["http://\(ipv4)/"])
                #expect(there.status == 3, Comment(rawValue: there.standardError))
                let here = try check(
                    at: lab, as: user, options: ["--control", "never"], Self.curl + ["http://[\(ipv6)]/"])
                #expect(here.status == 1, Comment(rawValue: here.standardError))
            }
        }

        @Test(arguments: User.withUplink)
        func `what is allowed is reached and nothing beside it`(user: User) throws {
            let lab = try Lab()
            try lab.startResolver()
            let allow = ["--allow", "private.example"]
            expectPass(try check(at: lab, as: user, options: allow, Self.curl + ["http://private.example/"]))
            let beside = Self.curl + ["http://[64:ff9b::a09:908]/"]
            #expect(try check(at: lab, as: user, options: allow + ["--control", "never"], beside).status == 1)
        }

        @Test(arguments: User.withUplink)
        func `a name that nobody has is no fault of the world`(user: User) throws {
            let lab = try Lab()
            try lab.startResolver()
            let unknown = try check(at: lab, as: user, Self.curl + ["http://nobody.example/"])
            #expect(unknown.status == 3)
            #expect(!unknown.standardError.contains("V6C-010"), Comment(rawValue: unknown.standardError))
        }

        @Test(arguments: User.withUplink)
        func `the control run has the same uplink`(user: User) throws {
            let lab = try Lab()
            try lab.startResolver()
            // The client uses IPv4 only: it works on dual-stack, but not here.
            let client = ["curl", "-4"] + Self.curl.dropFirst() + ["http://server.example/"]
            let output = try check(at: lab, as: user, client)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("the same command works on dual-stack"))
        }

        @Test(arguments: User.withUplink)
        func `a host with IPv6 lends it to both networks`(user: User) throws {
            let lab = try Lab()
            try lab.startResolver()
            try lab.connectIPv6()
            // An ordinary user's namespace has its own forwarding.
            if user == .root { _ = try lab.output(at: .host, "sysctl", "-qw", "net.ipv6.conf.all.forwarding=1") }
            let output = try check(
                at: lab, as: user, options: ["--networks", "nat64,dual-stack"], Self.curl + ["http://[2600:2::1]/"])
            #expect(output.status == 0, Comment(rawValue: output.standardError))
        }

        @Test func `without pasta it is said which package has it`() throws {
            let lab = try Lab()
            let output = try check(
                at: lab, as: .ordinary, ["true"], mounting: "mount --bind /dev/null /usr/bin/pasta")
            #expect(output.status == 5)
            // The fix begins with "sudo" or "as root:", whichever this machine needs.
            #expect(
                output.standardError.hasPrefix(
                    """
                    ipv6check: this user may not change the host's network (CAP_NET_ADMIN), and pasta, which needs no \
                    rights, is not installed; fix: 
                    """) && output.standardError.hasSuffix(" apt-get install passt\n"))
        }

        @Test func `without a TUN it is said that pasta needs one, by the run and by the doctor`() throws {
            let lab = try Lab()
            let hiding = "mount --bind /dev/null /dev/net/tun"
            let output = try check(at: lab, as: .ordinary, ["true"], mounting: hiding)
            #expect(output.status == 5)
            let needed = ", and pasta, by which this user gets to the host's network, needs a TUN of its own"
            #expect(output.standardError.hasPrefix("ipv6check: /dev/net/tun is "))
            #expect(output.standardError.contains(needed), Comment(rawValue: output.standardError))

            let doctor = [Binaries.ipv6check, "doctor"]
            let said = "--uplink host goes by pasta here, which needs a TUN"
            #expect(try EndToEndTests.run(lab.atHost(as: .ordinary, mounting: hiding) + doctor).text.contains(said))
            #expect(try !EndToEndTests.run(lab.atHost(as: .root, mounting: hiding) + doctor).text.contains(said))
        }

        @Test(arguments: User.available)
        func `a host without a network is told so`(user: User) throws {
            let lab = try Lab()
            _ = try lab.output(at: .host, "ip", "route", "del", "default")
            let output = try check(at: lab, as: user, ["true"])
            #expect(output.status == 5)
            #expect(output.standardError.hasPrefix("ipv6check: this host has no route to the Internet"))
            #expect(output.standardError.split(separator: "\n").count == 1, Comment(rawValue: output.standardError))
        }

        @Test(arguments: User.withUplink)
        func `nothing is left however the run ends`(user: User) throws {
            let lab = try Lab()
            let view = "nft list ruleset; ip -brief link; ip -brief address; cat /proc/sys/net/ipv4/ip_forward"
            let before = try lab.output(at: .host, "sh", "-c", view).text
            expectPass(try check(at: lab, as: user, ["true"]))
            // The kernel removes a veth pair a moment after its last descriptor is closed.
            try eventually("nothing is left") { try lab.output(at: .host, "sh", "-c", view).text == before }

            for signal in [SIGINT, SIGTERM, SIGKILL] {
                let output = Pipe()
                let runner = try Process.start(
                    try lab.atHost(as: user) + [Binaries.ipv6check, "-q", "--uplink", "host", "--"]
                        + ["sh", "-c", "echo runs; exec sleep 300"],
                    output: output)
                #expect(!output.fileHandleForReading.availableData.isEmpty)
                let helpers = descendants(of: runner.processIdentifier)
                #expect(helpers.count >= 4)
                kill(runner.processIdentifier, signal)
                runner.waitUntilExit()
                try eventually("the host is as it was") {
                    try lab.output(at: .host, "sh", "-c", view).text == before
                }
                try eventually("scripts, pasta and client have ended") {
                    helpers.allSatisfy { kill($0, 0) != 0 }
                }
            }
        }

        @Test func `what cannot be meant is said before anything is done`() throws {
            let alone = try ipv6check("--allow", "10.0.0.1", "--", "true")
            #expect(alone.status == 2)
            #expect(alone.standardError == "ipv6check: --allow: it goes with --uplink host\n")

            let world = Binaries.root.appending(path: "fixtures/worlds/demo.yaml").path
            let hosts = try ipv6check("--uplink", "host", "--world", world, "--", "true")
            #expect(hosts.status == 2)
            #expect(hosts.standardError.contains("a world can have no hosts"))

            let daemon = try ipv6check("--uplink", "host", "--simulator", "unix:/nowhere", "--", "true")
            #expect(daemon.status == 2)
            #expect(daemon.standardError.contains("--uplink is for the simulator to say"))
        }
    }
}
