// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The networks of the catalogue as clients see them, in the run's own simulator and in a daemon's.
    @Suite struct `The networks` {
        enum Simulator: String, CaseIterable, CustomTestStringConvertible {
            case own, daemon

            var testDescription: String { rawValue }
        }

        /// Runs `script` in a shell on the network, once.
        private func look(_ script: String, on network: String, _ user: User, _ simulator: Simulator) throws -> Output {
            let words = ["--network", network, "--getaddrinfo", "apple", "--once", "--", "sh", "-c", script]
            switch simulator {
            case .own: return try run([Binaries.ipv6check] + words, as: user)
            case .daemon:
                let daemon = try RunningDaemon(as: user)
                defer { daemon.end() }
                return try run(
                    [Binaries.ipv6check, "--simulator", "unix:\(daemon.folder.path)/attach.sock"] + words, as: user)
            }
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `strict has IPv6 hosts, and no way to IPv4 ones`(user: User, simulator: Simulator) throws {
            let output = try look(
                """
                curl -fsS http://six.test/ip && grep nameserver /etc/resolv.conf
                ip -4 -o address show scope global; ip -4 route show
                test -z "$(dig +short AAAA shop.test)" && echo no AAAA
                ping -6 -c 1 -W 2 64:ff9b::c633:640a | grep -i 'no route'
                ping -4 -c 1 -W 2 127.0.0.1 > /dev/null && echo loopback
                """, on: "strict", user, simulator)
            expectPass(output)
            let lines = output.text.split(separator: "\n").map(String.init)
            #expect(
                lines.filter { !$0.contains("No route") } == [
                    "2e00:2:0:1::c0:300", "nameserver 2e00:2:0:1::1", "no AAAA", "loopback",
                ], Comment(rawValue: output.text))
            #expect(lines.contains { $0.hasPrefix("From 2e00:2:0:1::1") && $0.hasSuffix("No route") })
            #expect(output.standardError.contains("IPv6 only, no DNS64 and no NAT64"))
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `nat64-no-dns64 tells the prefix, and leaves synthesis to the client`(user: User, simulator: Simulator)
            throws
        {
            let output = try look(
                """
                dig +short AAAA ipv4only.arpa; dig +short AAAA shop.test; dig +short A shop.test
                dig +short -x 64:ff9b::192.0.0.170; dig +short -x 64:ff9b::198.51.100.10
                # Apple's getaddrinfo synthesises where no DNS64 does.
                curl -fsS http://shop.test/ip; curl -fsSg 'http://[64:ff9b::198.51.100.10]/ip'; curl -fsS http://six.test/ip
                env -u LD_PRELOAD curl -sS http://shop.test/ 2> /dev/null || echo unreachable
                """, on: "nat64-no-dns64", user, simulator)
            expectPass(output)
            #expect(
                output.text == """
                    64:ff9b::c000:aa
                    64:ff9b::c000:ab
                    198.51.100.10
                    ipv4only.arpa.
                    192.0.2.64
                    192.0.2.64
                    2e00:2:0:1::c0:600
                    unreachable

                    """, Comment(rawValue: output.text))
            #expect(output.standardError.contains("NAT64 and no DNS64"))
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `strict-no-lo4 has no IPv4 address at all`(user: User, simulator: Simulator) throws {
            let output = try look(
                """
                ip -4 -o address show; grep 127 /etc/hosts
                ping -4 -c 1 127.0.0.1 2>&1 | grep -o 'Network is unreachable'
                ping -6 -c 1 ::1 > /dev/null && getent ahosts localhost | grep -c 127
                curl -fsS http://six.test/ip
                """, on: "strict-no-lo4", user, simulator)
            expectPass(output)
            #expect(output.text == "Network is unreachable\n0\n2e00:2:0:1::c0:400\n", Comment(rawValue: output.text))
            #expect(output.standardError.contains("no 127.0.0.0/8"))
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `ipv4-only has IPv4 hosts and an IPv4 resolver`(user: User, simulator: Simulator) throws {
            let output = try look(
                """
                curl -fsS http://shop.test/ip && curl -fsS http://dual.test/ip && grep nameserver /etc/resolv.conf
                ip -6 -o address show scope global; ip -6 route show dev eth0
                curl -sS http://six.test/ || echo no IPv6
                """, on: "ipv4-only", user, simulator)
            expectPass(output)
            #expect(
                output.text == "192.0.2.160\n192.0.2.160\nnameserver 192.0.2.1\nno IPv6\n",
                Comment(rawValue: output.text))
            #expect(output.standardError.contains("IPv4 only"))
        }

        private struct CensusJSON: Decodable {
            struct Run: Decodable {
                struct Entry: Decodable {
                    var address: String
                    var transport: String
                    var port: UInt16
                    var name: String?
                    var program: String?
                    var answered: Bool
                    var byIPv6: Bool
                }
                var network: String
                var ipv4Dependencies: [Entry]?
            }
            struct Finding: Decodable { var rule: String }
            var runs: [Run]
            var findings: [Finding]
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `nat64 with a CLAT carries IPv4 as well`(user: User, simulator: Simulator) throws {
            let output = try look(
                """
                ip -4 -o address show dev eth0 | grep -o 'inet [^ ]*'; ip -4 route show default | grep -o 'via [^ ]*'
                grep nameserver /etc/resolv.conf
                curl -fsS http://198.51.100.10/ip && curl -fsS http://six.test/ip && curl -fsS -6 http://shop.test/ip
                ping -4 -n -c 2 -W 2 198.51.100.10 | grep -o '2 received'
                ping -4 -n -c 1 -W 2 -s 1452 198.51.100.10 | grep -o '1 received'
                ping -4 -n -c 1 -W 2 -M do -s 1453 198.51.100.10 2>&1 | grep -o 'mtu.*1480'
                ping -4 -n -c 1 -W 2 192.0.0.2 | grep -o '1 received'
                ping -4 -n -c 1 -W 2 10.1.2.3 | grep -io 'Destination Host Prohibited'
                echo hello | timeout 5 nc -4 -q 1 -w 3 198.51.100.7 7
                python3 -c '
                import socket
                link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                link.settimeout(5)
                link.sendto(b"datagram" * 400, ("198.51.100.7", 7))
                print(len(link.recv(4096)))
                '
                """, on: "nat64+clat", user, simulator)
            expectPass(output)
            #expect(
                output.text.split(separator: "\n").map(String.init) == [
                    "inet 192.0.0.1/29", "via 192.0.0.2", "nameserver 2e00:2:0:1::1", "192.0.2.64",
                    "2e00:2:0:1::c0:500", "192.0.2.64", "2 received", "1 received", "mtu = 1480", "1 received",
                    "Destination Host Prohibited", "hello", "3200",
                ], Comment(rawValue: output.text + output.standardError))
            #expect(output.standardError.contains("IPv6, and IPv4 through a CLAT, DNS64 and NAT64"))
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `The census has what crossed the CLAT, and nothing else`(user: User, simulator: Simulator) throws {
            let json = Binaries.scratch.appending(path: UUID().uuidString).path
            let client =
                "curl -fsS -4 http://shop.test/ && curl -fsS http://dual.test/ && curl -fsS http://198.51.100.10/"
            let daemon = simulator == .daemon ? try RunningDaemon(as: user) : nil
            defer { daemon?.end() }
            let attached = daemon.map { ["--simulator", "unix:\($0.folder.path)/attach.sock"] } ?? []
            let output = try run(
                [Binaries.ipv6check] + attached + [
                    "--network", "nat64+clat", "--trace", "always", "--json", json, "--", "sh", "-c", client,
                ], as: user)
            expectPass(output)
            let report = try JSONDecoder().decode(CensusJSON.self, from: Data(contentsOf: URL(filePath: json)))
            let entries = try #require(report.runs.first?.ipv4Dependencies)
            #expect(entries.map(\.address) == ["198.51.100.10"] && entries.first?.port == 80)
            let entry = try #require(entries.first)
            #expect(entry.transport == "tcp" && entry.name == "shop.test" && entry.answered && !entry.byIPv6)
            #expect(entry.program?.hasSuffix("/curl") == true)
            #expect(report.findings.map(\.rule) == ["V6C-072"])
            #expect(
                output.standardError.contains(/by clat +198\.51\.100\.10  tcp 80  shop\.test  by curl \(process \d+\)/),
                Comment(rawValue: output.standardError))
        }

        /// Twenty megabytes each way: super-packets, and segments that must be 20 octets shorter than the link's MTU allows.
        @Test(arguments: User.available, Simulator.allCases)
        func `A CLAT carries large transfers intact`(user: User, simulator: Simulator) throws {
            let octets = 20_000_000
            let file = Binaries.scratch.appending(path: "clat-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data((0..<octets).map { UInt8($0 % 251) }).write(to: file)
            let expected = try run(["sha256sum", file.path]).text.prefix(64)
            let output = try look(
                """
                curl -4 -fsS http://shop.test/bytes/\(octets) | sha256sum
                curl -4 -fsS -T '\(file.path)' http://shop.test/echo | sha256sum
                """, on: "nat64+clat", user, simulator)
            expectPass(output)
            let lines = output.text.split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.prefix(64) == expected }, Comment(rawValue: output.text))
            #expect(output.standardError.contains("by clat"), output.told)
        }

        /// A client of a NAT64 that is full, or that drops sessions.
        @Test(arguments: User.available, Simulator.allCases)
        func `A NAT64 is exhausted, or forgets, and the report says so`(user: User, simulator: Simulator) throws {
            let daemon =
                simulator == .daemon
                ? try RunningDaemon(
                    """
                    nat64:
                      limits: { sessions-per-host: 50 }
                      probe-idle-connections: false
                      time-outs: { allow-short: true, tcp-established: 2s, udp: 2s }
                    """, as: user) : nil
            defer { daemon?.end() }
            for (client, setting, rule, counter) in [
                ("many_sockets", "sessions-per-host=50", "V6C-014", "host-quota-exceeded"),
                ("idle_connection", "forgets=2s", "V6C-059", "tcp-without-session"),
            ] {
                let place =
                    daemon.map { ["--simulator", "unix:\($0.folder.path)/attach.sock"] } ?? ["--nat64", setting]
                let source = Binaries.root.appending(path: "fixtures/clients/\(client).py").path
                let output = try run(
                    [Binaries.ipv6check] + place + ["--once", "python3", source, "echo.test", "7"], as: user)
                #expect(output.status == 1 && output.standardError.contains(rule), output.told)
                #expect(output.standardError.contains("× \(counter)"), output.told)
            }
        }

        @Test func `A case on nat64+clat is green where nat64 is red`() throws {
            let folder = try SuiteFolder(
                "  - { name: fetch, command: [curl, -4, -fsS, http://shop.test/], networks: [nat64+clat, nat64] }")
            let output = try folder.suite()
            #expect(output.status == 1)
            #expect(output.standardError.contains(/PASS +fetch@nat64\+clat/), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains(/FAIL +fetch@nat64\s/))
        }

        @Test func `A baseline accepts what needs a CLAT today, and nothing that is new`() throws {
            let folder = try SuiteFolder(
                "  - { name: fetch, command: [curl, -4, -fsS, http://shop.test/], networks: [nat64+clat] }")
            let first = try folder.suite("--baseline", "b.txt", "--baseline", "update")
            #expect(first.status == 0, first.told)
            #expect(try folder.read("b.txt").contains("\nV6C-072 fetch curl shop.test tcp/80\n"))
            #expect(try folder.suite("--baseline", "b.txt").status == 0)
            try folder.write("# ipv6check baseline 1\n", to: "b.txt")
            let new = try folder.suite("--baseline", "b.txt")
            #expect(new.status == 1 && new.standardError.contains("V6C-072"), new.told)
        }

        @Test func `A client that IPv4 is not enough for fails there, and works on dual-stack`() throws {
            let output = try ipv6check("--network", "ipv4-only", "curl", "-fsS", "http://six.test/")
            #expect(output.status == 1)
            #expect(output.standardError.contains("fails on ipv4-only; the same command works on dual-stack"))
        }

        @Test func `A case that works elsewhere and not on ipv4-only is red`() throws {
            let folder = try SuiteFolder(
                "  - { name: fetch, command: [curl, -fsS, http://six.test/], networks: [nat64, strict, ipv4-only] }")
            let output = try folder.suite()
            #expect(output.status == 1)
            #expect(output.standardError.contains(/FAIL +fetch@ipv4-only/), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains(/PASS +fetch@strict/))
            #expect(output.standardError.contains(/PASS +fetch@nat64/))
        }

        @Test func `A daemon takes no address from the loopback of where it was started`() throws {
            let output = try run(
                [
                    "sh", "-c",
                    "printf 'version: 1\\nclients: { here: strict-no-lo4 }\\n' > \"$0\" && exec \"$1\" serve --config \"$0\"",
                ]
                    + [Binaries.scratch.appending(path: "no-lo4.yaml").path, Binaries.nat64sim])
            #expect(output.status == 2)
            #expect(output.standardError.contains("strict-no-lo4"), Comment(rawValue: output.standardError))
        }

        private struct SurveyJSON: Decodable {
            struct Entry: Decodable {
                struct Report: Decodable {
                    struct Run: Decodable { var network: String }
                    var verdict: String
                    var runs: [Run]
                }
                var network: String
                var report: Report
            }
            var exitCode: Int32
            var networks: [Entry]
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `One command tries them all, each client three times at most`(user: User, simulator: Simulator) throws {
            let count = Binaries.scratch.appending(path: UUID().uuidString).path
            let json = Binaries.scratch.appending(path: UUID().uuidString).path
            let client = [
                "--networks", "all", "--json", json, "--", "sh", "-c",
                "echo x >> \(count); curl -fsS http://shop.test/",
            ]
            let daemon = simulator == .daemon ? try RunningDaemon(as: user) : nil
            defer { daemon?.end() }
            let attached = daemon.map { ["--simulator", "unix:\($0.folder.path)/attach.sock"] } ?? []
            let output = try run([Binaries.ipv6check] + attached + client, as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.text.isEmpty)
            let report = try JSONDecoder().decode(SurveyJSON.self, from: Data(contentsOf: URL(filePath: json)))
            #expect(report.exitCode == 1)
            #expect(
                report.networks.map { "\($0.network) \($0.report.verdict)" } == [
                    "nat64 passes", "nat64-no-dns64 fails-here", "nat64+clat passes", "strict fails-here",
                    "strict-no-lo4 fails-here",
                    "ipv4-only passes",
                    "dual-stack passes",
                ])
            #expect(report.networks[3].report.runs.map(\.network) == ["strict", "strict", "dual-stack"])
            // Two runs on each network where the client fails; one control run for all.
            #expect(try String(contentsOfFile: count, encoding: .utf8) == String(repeating: "x\n", count: 10))
        }

        @Test func `A client that works on the networks of a list passes`() throws {
            let output = try ipv6check("--networks", "ipv4-only,nat64", "curl", "-fsS", "http://shop.test/")
            expectPass(output)
            #expect(output.standardError.contains("works on 2 networks"), Comment(rawValue: output.standardError))
        }

        @Test(arguments: [
            ["--networks", "nat64,nat64"], ["--networks", "nat65"], ["--networks", "all", "--network", "strict"],
        ])
        func `A list that cannot be meant is refused`(options: [String]) throws {
            #expect(try run([Binaries.ipv6check] + options + ["true"]).status == 2)
        }

        @Test func `Standard input that cannot be read again is no silent pass`() throws {
            let output = try run(["sh", "-c", "printf text | \"$0\" --networks all cat", Binaries.ipv6check])
            #expect(output.status == 2, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("give it as a file"))
        }
    }
}
