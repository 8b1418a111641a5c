// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

extension EndToEnd {
    /// `nat64sim gateway`: IPv6-only hosts on a bridge.
    @Suite(.serialized, needsRoot) struct Gateway {
        private static let world = Binaries.root.appending(path: "fixtures/worlds/demo.yaml").path

        @Test func `hosts of a bridge reach servers with IPv4 alone`() throws {
            let lab = try GatewayLab()
            let gateway = try RunningGateway(at: lab)
            #expect(gateway.isReady, gateway.told)
            for client in 0..<3 { #expect(try lab.reaches("server.example", from: client), gateway.told) }
            #expect(try lab.at(0, "ping -c 1 -W 2 server.example").status == 0)
            #expect(try lab.at(1, "dig +short AAAA server.example").text == "64:ff9b::808:404\n")
            // Neighbours still reach each other.
            #expect(try lab.at(0, "ping -c 1 -W 2 \(GatewayLab.address(1))").status == 0)
        }

        @Test func `what is not public is out of reach unless allowed`() throws {
            let lab = try GatewayLab(clients: 1)
            let gateway = try RunningGateway(at: lab, "--allow", "10.9.9.9", "--prefix", "2001:db8:64::/96")
            for address in ["2001:db8:64::a9fe:a9fe", "2001:db8:64::a09:908", "2001:db8:64::cb00:7102"] {
                #expect(try !lab.reaches("[\(address)]"), gateway.told)
            }
            #expect(try lab.reaches("[2001:db8:64::a09:909]"), gateway.told)
        }

        @Test func `a large transfer, fragments and a smaller MTU on the way get through`() throws {
            let lab = try GatewayLab(clients: 1)
            let gateway = try RunningGateway(at: lab)
            try lab.expectTransfers(gateway.told)
        }

        @Test func `git clones by the name of a server with IPv4 alone`() throws {
            let lab = try GatewayLab(clients: 1)
            let gateway = try RunningGateway(at: lab)
            let folder = gateway.folder.path
            try lab.host(
                "git init -q \(folder)/origin",
                "git -C \(folder)/origin -c user.name=x -c user.email=x@x commit -q --allow-empty -m first",
                "git clone -q --bare \(folder)/origin \(folder)/shared.git",
                "git -C \(folder)/shared.git update-server-info")
            let server = try lab.lab.start(
                at: .server, "python3", "-m", "http.server", "--directory", folder, "--bind", "8.8.4.4", "8081")
            defer { server.endAtOnce() }
            try eventually("the server") {
                try lab.lab.output(at: .server, "curl", "-s", "-o", "/dev/null", "http://8.8.4.4:8081/").status == 0
            }
            let clone = try lab.at(
                0,
                "git clone http://server.example:8081/shared.git \(folder)/copy && git -C \(folder)/copy log --format=%s"
            )
            #expect(clone.status == 0 && clone.text.contains("first\n"), Comment(rawValue: clone.text))
        }

        @Test func `a world can be in place of the host's network`() throws {
            let lab = try GatewayLab(clients: 1)
            let gateway = try RunningGateway(at: lab, "--world", Self.world)
            #expect(gateway.isReady, gateway.told)
            #expect(try lab.reaches("shop.test"), gateway.told)
            #expect(try lab.reaches("dual.test"), gateway.told)
            #expect(try !lab.reaches("server.example"))
            let way = try lab.at(0, "traceroute -6 -n -q 1 -w 2 shop.test").text
            #expect(way.contains(" 2  \(GatewayLab.resolver) "), Comment(rawValue: way))
            #expect(way.contains(" 3  64:ff9b::c633:640a "), Comment(rawValue: way))
        }

        @Test func `each address has an account of its own`() throws {
            let lab = try GatewayLab()
            let gateway = try RunningGateway(at: lab)
            #expect(try lab.reaches("server.example", from: 0))
            _ = try lab.at(1, "dig +short A dual.example")
            #expect(try !lab.reaches("[64:ff9b::a00:1]", from: 1))
            let names = gateway.folder.appending(path: "names")
            try "\(GatewayLab.address(1)) cart # a pod\n".write(to: names, atomically: true, encoding: .utf8)

            let clients = try gateway.ask("clients", "--names", names.path)
            #expect(clients.text.contains("by IPv4: server.example (tcp 80)\n"), clients.told)
            #expect(clients.text.contains("\(GatewayLab.address(1)) (cart)"), clients.told)
            #expect(!clients.text.contains(GatewayLab.address(2)), clients.told)

            let findings = try gateway.ask("findings", "--names", names.path)
            #expect(
                findings.text.contains(
                    "error V6C-002 \(GatewayLab.address(1)) (cart) asks the DNS for IPv4 addresses only: It asked for A of dual.example"
                ), findings.told)
            #expect(findings.text.contains("error V6C-012 \(GatewayLab.address(1)) (cart)"), findings.told)
            #expect(!findings.text.contains(GatewayLab.address(0)), findings.told)
        }

        @Test func `a gate is red for a finding, green with a baseline, and neither without a client`() throws {
            let lab = try GatewayLab(clients: 1)
            let scratch = Binaries.scratch.appending(path: "b\(UUID().uuidString.prefix(8))")
            let (report, baseline) = (scratch.path + ".json", scratch.path + ".baseline")
            func gate(_ options: [String], _ line: String) throws -> (status: Int32, log: String) {
                let gateway = try RunningGateway(at: lab, options: ["--report", report] + options)
                _ = try lab.at(0, line)
                return (gateway.end(), gateway.log)
            }
            let none = try gate([], "true")
            #expect(none.status == 4, Comment(rawValue: none.log))
            #expect(none.log.contains("no client sent anything"))
            let green = try gate([], "curl -s http://server.example/")
            #expect(green.status == 0, Comment(rawValue: green.log))
            let red = try gate([], "dig A dual.example")
            #expect(red.status == 1, Comment(rawValue: red.log))
            #expect(try String(contentsOfFile: report, encoding: .utf8).contains("\"rule\" : \"V6C-002\""))
            let written = try gate(["--baseline", baseline, "--baseline", "update"], "dig A dual.example")
            #expect(written.status == 0, Comment(rawValue: written.log))
            #expect(
                try String(contentsOfFile: baseline, encoding: .utf8).contains(
                    "V6C-002 gateway \(GatewayLab.address(0)) dual.example"))
            let accepted = try gate(["--baseline", baseline], "dig A dual.example")
            #expect(accepted.status == 0, Comment(rawValue: accepted.log))
            let new = try gate(["--baseline", baseline], "dig A server.example")
            #expect(new.status == 1, Comment(rawValue: new.log))
        }

        @Test func `a hostile host is refused what is not its own, and others are served`() throws {
            let lab = try GatewayLab()
            let gateway = try RunningGateway(at: lab)
            let hostile = """
                import socket, time
                end = time.time() + 4
                asked = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                sent = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                number = 0
                while time.time() < end:
                    number += 1
                    label = b"n%d" % number
                    query = b"\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + bytes([len(label)]) + label + b"\\7example\\0\\0\\1\\0\\1"
                    try:
                        asked.sendto(query, ("\(GatewayLab.resolver)", 53))
                        sent.sendto(bytes(1200), ("64:ff9b::808:404", number % 65535 + 1))
                    except OSError: pass
                """
            try Data(hostile.utf8).write(to: gateway.folder.appending(path: "hostile.py"))
            let spoof =
                "ip address add fd00:bad::5/64 dev eth0 nodad; ping -c 3 -i 0.2 -W 1 -I fd00:bad::5 64:ff9b::808:404"
            #expect(try lab.at(2, spoof).status != 0)
            // Back to the host's own address.
            _ = try lab.at(2, "ip address del fd00:bad::5/64 dev eth0")
            let flood = try lab.start(2, "python3", "\(gateway.folder.path)/hostile.py")
            for _ in 0..<8 {
                // The lab's resolver is slow, and the flood asks it as well: a query may have to be repeated.
                #expect(try lab.at(0, "curl -s -m 20 -o /dev/null http://server.example/").status == 0, gateway.told)
                usleep(200_000)
            }
            flood.waitUntilExit()
            let counters = try gateway.ask("counters")
            #expect(counters.text.contains("reason=spoofed-source"), counters.told)
            let clients = try gateway.ask("clients", "--json")
            #expect(!clients.text.contains("fd00:bad::5"))
            let findings = try gateway.ask("findings")
            #expect(!findings.text.contains(GatewayLab.address(0)), findings.told)
            #expect(gateway.end() == 0, gateway.told)
        }

        @Test func `sources are kept where an engine masquerades`() throws {
            let lab = try GatewayLab(clients: 1)
            try lab.host(
                "nft add table ip6 engine",
                "nft 'add chain ip6 engine leaving { type nat hook postrouting priority srcnat; }'",
                "nft 'add rule ip6 engine leaving ip6 saddr \(GatewayLab.prefix) oifname != \"pods\" masquerade'")
            let gateway = try RunningGateway(at: lab)
            #expect(try lab.reaches("server.example"), gateway.told)
            #expect(try gateway.ask("clients").text.contains(GatewayLab.address(0)))
        }

        /// Rules like those of Docker Engine, which does not run here.
        @Test func `a host that drops what it does not know is told how to let it pass`() throws {
            let lab = try GatewayLab(clients: 1)
            try lab.host(
                "nft add table ip6 filter",
                "nft 'add chain ip6 filter FORWARD { type filter hook forward priority filter; policy drop; }'",
                "nft add table ip6 raw",
                "nft 'add chain ip6 raw PREROUTING { type filter hook prerouting priority raw; }'",
                "nft 'add rule ip6 raw PREROUTING ip6 daddr fd00:db8:7::99 iifname != \"pods\" drop'")
            let gateway = try RunningGateway(at: lab)
            #expect(gateway.log.contains("warning  this host drops IPv6 packets that it does not know"), gateway.told)
            #expect(gateway.log.contains("ip6tables -I FORWARD -i nat64simgw -j ACCEPT"), gateway.told)
            #expect(gateway.log.contains("gateway_mode_ipv6=routed"), gateway.told)
            #expect(try !lab.reaches("[64:ff9b::808:404]"))
            try lab.host(
                "nft insert rule ip6 filter FORWARD iifname nat64simgw accept",
                "nft insert rule ip6 filter FORWARD oifname nat64simgw accept")
            #expect(try lab.reaches("[64:ff9b::808:404]"), gateway.told)
        }

        @Test func `the host is as before after every end`() throws {
            let lab = try GatewayLab(clients: 1)
            let before = try lab.state()
            for round in 0..<30 {
                let isWorld = round % 3 == 0
                let gateway = try RunningGateway(
                    at: lab, options: isWorld ? ["--world", Self.world] : [], isAwaited: false)
                usleep(UInt32.random(in: 0..<500_000))
                gateway.end(round % 5 == 4 ? SIGTERM : SIGKILL)
                try eventually("the host is as it was, in round \(round)") { try lab.state() == before }
            }
            let gateway = try RunningGateway(at: lab)
            #expect(try lab.reaches("server.example"), gateway.told)
        }

        @Test(arguments: [[], ["--switch-forwarding"]])
        func `the default route of a router's advertisement survives`(_ options: [String]) throws {
            let lab = try GatewayLab(clients: 1)
            // A router advertisement from the far side's link-local address, with a lifetime of half an hour (RFC 4861 §4.2).
            let advertisement = """
                import socket, struct
                s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
                s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
                s.sendto(struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, 1800, 0, 0),
                         ("ff02::1", 0, 0, socket.if_nametoindex("inside")))
                """
            try lab.host("sysctl -qw net.ipv6.conf.outside.accept_ra=1")
            try eventually("a default route") {
                _ = try lab.lab.output(at: .server, "python3", "-c", advertisement)
                return try lab.lab.output(at: .host, "ip", "-6", "route").text.contains("default via fe80")
            }
            let before = try lab.state()
            for signal in [SIGTERM, SIGKILL] {
                let gateway = try RunningGateway(at: lab, options: options)
                #expect(gateway.isReady, gateway.told)
                #expect(try lab.state().contains("default via fe80"), gateway.told)
                #expect(try lab.reaches("server.example"), gateway.told)
                if options.isEmpty {
                    #expect(!gateway.log.contains("conf.all.forwarding"), gateway.told)
                } else {
                    #expect(
                        gateway.log.contains("net.ipv6.conf.outside.accept_ra=2, net.ipv6.conf.all.forwarding=1"),
                        gateway.told)
                }
                gateway.end(signal)
                try eventually("the host is as it was") { try lab.state() == before }
            }
        }

        @Test func `two gateways and a run of ipv6check share a host`() throws {
            let lab = try GatewayLab(clients: 2)
            let before = try lab.state()
            let first = try RunningGateway(at: lab)
            let clash = try RunningGateway(at: lab, "--dns", "2001:db8:1::53")
            #expect(clash.end() == 5)
            #expect(clash.log.contains("this host has a route already that the gateway is to make"), clash.told)
            let second = try RunningGateway(at: lab, "--prefix", "2001:db8:64::/96")
            #expect(second.isReady, second.told)
            #expect(try lab.reaches("server.example", from: 0))
            #expect(try lab.reaches("[2001:db8:64::808:404]", from: 1), second.told)
            let run = try EndToEndTests.run(
                try lab.lab.atHost(as: .root) + [Binaries.ipv6check, "--uplink", "host", "--"]
                    + ["curl", "-sS", "-m", "20", "-o", "/dev/null", "http://server.example/"])
            expectPass(run)
            // The settings that the first gateway has changed stay until the last one has ended.
            first.end(SIGKILL)
            #expect(try lab.reaches("[2001:db8:64::808:404]", from: 1), second.told)
            second.end()
            try eventually("the host is as it was") { try lab.state() == before }
        }

        @Test func `a network of an engine is asked for, and what its containers lack is said`() throws {
            let lab = try GatewayLab(clients: 1)
            let scratch = Binaries.scratch.appending(path: "e\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
            for (engine, printed, needed) in [
                (
                    "docker",
                    #"[{"Name":"shop","EnableIPv6":true,"IPAM":{"Config":[{"Subnet":"172.18.0.0/16"},{"Subnet":"fd00:db8:7::/64","Gateway":"fd00:db8:7::1"}]},"Internal":false}]"#,
                    "the containers of shop have it too"
                ),
                (
                    "podman",
                    #"[{"name":"shop","subnets":[{"subnet":"fd00:db8:7::/64","gateway":"fd00:db8:7::1"}],"ipv6_enabled":true,"internal":true}]"#,
                    "the containers of shop have no default route"
                ),
            ] {
                let program = scratch.appending(path: engine)
                try "#!/bin/sh\n[ \"$*\" = 'network inspect -- shop' ] && echo '\(printed)'\n".write(
                    to: program, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
                let log = scratch.appending(path: "log")
                try Data().write(to: log)
                let gateway = try Process.start(
                    try lab.lab.atHost(as: .root) + [
                        "env", "PATH=\(scratch.path):/usr/sbin:/usr/bin:/sbin:/bin", Binaries.nat64sim, "gateway",
                        "--of", "\(engine):shop", "--sockets", scratch.path,
                    ], errors: try FileHandle(forWritingTo: log))
                defer {
                    gateway.terminate()
                    gateway.waitUntilExit()
                }
                try eventually("a gateway") { try String(contentsOf: log, encoding: .utf8).contains("gateway: ready") }
                let said = try String(contentsOf: log, encoding: .utf8)
                #expect(said.contains("fd00:db8:7::/64 behind pods"), Comment(rawValue: said))
                #expect(said.contains("--dns \(GatewayLab.resolver) for each container"), Comment(rawValue: said))
                #expect(said.contains(needed), Comment(rawValue: said))
                #expect(try lab.reaches("server.example"))
            }
        }

        @Test func `what cannot be meant is said before anything is done`() throws {
            for (options, words) in [
                ([], "--from PREFIX is missing"),
                (["--from", "10.0.0.0/8"], "--from 10.0.0.0/8 is not an IPv6 prefix"),
                (["--from", "64:ff9b::/64"], "overlap"),
                (["--from", "fd00::/64", "--dns", "64:ff9b::1"], "is in the NAT64's"),
                (["--from", "fd00::/64", "--fail-on", "note"], "go with --report"),
                (["--of", "lxc:x"], "give docker:NETWORK or podman:NETWORK"),
                (["--from", "fd00::/64", "--forward", "x"], "--forward x is not an address"),
            ] as [([String], String)] {
                let output = try EndToEndTests.run([Binaries.nat64sim, "gateway"] + options, as: .root)
                #expect(output.status == 2, output.told)
                #expect(output.standardError.contains(words), output.told)
            }
            let lab = try GatewayLab(clients: 1)
            let before = try lab.state()
            let nowhere = try RunningGateway(at: lab, "--from", "fd00:99::/64")
            #expect(nowhere.end() == 5)
            #expect(nowhere.log.contains("this host has no way to the clients' fd00:99::/64"), nowhere.told)
            #expect(try lab.state() == before)
        }

        @Test func `who may not change the host's network is told so`() throws {
            guard let user = User.available.first(where: { $0 != .root }) else { return }
            let output = try EndToEndTests.run(
                [Binaries.nat64sim, "gateway", "--from", "fd00::/64", "--sockets", Binaries.scratch.path], as: user)
            #expect(output.status == 5, output.told)
            #expect(output.standardError.contains("CAP_NET_ADMIN"), output.told)
        }
    }
}
