// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A client that changes networks while it runs.
    @Suite struct `A hand-over` {
        enum Simulator: String, CaseIterable, CustomTestStringConvertible {
            case own, daemon

            var testDescription: String { rawValue }
        }

        private func run(
            _ schedule: String, _ client: [String], as user: User, _ simulator: Simulator
        ) throws -> Output {
            let words = ["--network", schedule, "--getaddrinfo", "apple", "--once", "--"] + client
            switch simulator {
            case .own: return try EndToEndTests.run([Binaries.ipv6check] + words, as: user)
            case .daemon:
                let daemon = try RunningDaemon(as: user)
                defer { daemon.end() }
                return try EndToEndTests.run(
                    [Binaries.ipv6check, "--simulator", "unix:\(daemon.folder.path)/attach.sock"] + words, as: user)
            }
        }

        /// Looks a name up every 0.1 s, prints each change of the answer or the client's address, and holds a connection meanwhile.
        /// A look-up may fall between the change of an address and that of the resolver, so a result is printed when seen twice.
        /// A question whose network goes before its answer comes has the resolver's time limit, a second here.
        private static let watcher = """
            import socket, time
            def source():
                for family, host in ((socket.AF_INET, "198.51.100.10"), (socket.AF_INET6, "2e00:2:0:cafe::1")):
                    with socket.socket(family, socket.SOCK_DGRAM) as probe:
                        try:
                            probe.connect((host, 9))
                            yield probe.getsockname()[0]
                        except OSError:
                            yield "-"
            def addresses():
                try:
                    return sorted({entry[4][0] for entry in socket.getaddrinfo("shop.test", 80, type=socket.SOCK_STREAM)})
                except OSError as error:
                    return ["EAI" if isinstance(error, socket.gaierror) else "error"]
            last = told = None
            end = time.monotonic() + 60
            held = socket.create_connection(("shop.test", 80), timeout=2)
            while time.monotonic() < end and not (told and "64:ff9b::" in told):
                seen = " ".join([*source(), *addresses()])
                if seen == last and seen != told:
                    print(seen, flush=True)
                    told = seen
                last = seen
                time.sleep(0.1)
            held.settimeout(0.5)
            held.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
            try:
                held.recv(1)
                print("the connection stands")
            except OSError:
                print("the connection is dead")
            with socket.create_connection(("shop.test", 80), timeout=2) as fresh:
                print(fresh.getsockname()[0])
            """

        @Test(arguments: User.available, Simulator.allCases)
        func `changes addresses, routes and resolvers under a running client`(user: User, simulator: Simulator) throws {
            let output = try run(
                "dual-stack 2s, none 4s, nat64",
                ["env", "RES_OPTIONS=timeout:1 attempts:1", "python3", "-c", Self.watcher], as: user, simulator)
            let lines = output.text.split(separator: "\n").map(String.init)
            let expected = [
                "192.0.2.100 2e00:2:0:1::c0:200 198.51.100.10", "- - EAI",
                "- 2e00:2:0:1::c0:100 198.51.100.10 64:ff9b::c633:640a", "the connection is dead",
                "2e00:2:0:1::c0:100",
            ]
            // The first network may be missing from the output, if it was seen only once.
            #expect(lines.suffix(4) == expected.suffix(4), Comment(rawValue: output.text + output.standardError))
            #expect(output.status == 0)
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `is seen by who listens to the kernel`(user: User, simulator: Simulator) throws {
            let output = try run(
                "nat64 600ms, none 200ms, strict-no-lo4 400ms, nat64+clat",
                [
                    "sh", "-c",
                    "timeout 2 ip -o monitor link address route; cat /etc/resolv.conf; grep -c 127 /etc/hosts",
                ],
                as: user, simulator)
            let lines = output.text.split(separator: "\n").map(String.init)
            func place(_ part: String) -> Int? { lines.firstIndex { $0.contains(part) } }
            let order = try [
                "Deleted default via 2e00:2:0:1::1", "2e00:2:0:1::c0:100/64", "state DOWN", "LOWER_UP",
                "2e00:2:0:1::c0:400/64", "default via 192.0.0.2", "2e00:2:0:1::c0:500/64",
                "nameserver 2e00:2:0:1::1",
            ].map { try #require(place($0), "\($0) in \(output.text)") }
            #expect(order == order.sorted(), Comment(rawValue: output.text))
            #expect(lines.contains { $0.hasPrefix("Deleted") && $0.contains("127.0.0.1/8") })
            #expect(lines.last == "1")
        }

        @Test(arguments: User.available) func `may end, or begin, without a network`(user: User) throws {
            let look = "ip -o -6 address show dev eth0 | grep -o 'inet6 [^ ]*'; ip -6 route show default; sleep 1; "
            let begins = try run("none 500ms, nat64", ["sh", "-c", look + look], as: user, .own)
            #expect(begins.text.hasPrefix("inet6 2e00:2:0:1::c0:100/64\n"), Comment(rawValue: begins.text))
            let ends = try run("nat64 500ms, none", ["sh", "-c", look + look + "ip -o link show eth0"], as: user, .own)
            #expect(ends.text.hasPrefix("inet6 2e00:2:0:1::c0:100/64\ndefault"), Comment(rawValue: ends.text))
            #expect(ends.text.contains("state DOWN"), Comment(rawValue: ends.text))
            #expect(ends.text.components(separatedBy: "inet6").count == 2)
        }

        @Test(arguments: User.available) func `has literals synthesised by the prefix of the network that is there`(
            user: User
        ) throws {
            let output = try run(
                "dual-stack 1s, nat64",
                [
                    "python3", "-c",
                    """
                    import socket, time
                    for _ in range(2):
                        found = {entry[4][0] for entry in socket.getaddrinfo("198.51.100.10", 80)}
                        print(" ".join(sorted(found)), flush=True)
                        time.sleep(2)
                    """,
                ], as: user, .own)
            let lines = output.text.split(separator: "\n")
            #expect(lines.first == "198.51.100.10", Comment(rawValue: output.text + output.standardError))
            #expect(lines.last?.contains("64:ff9b::c633:640a") == true, Comment(rawValue: output.text))
        }

        private struct Report: Decodable {
            struct Change: Decodable { var network: String }
            struct Run: Decodable { var timeline: [Change]? }
            var runs: [Run]
        }

        /// The client enters a network only once, if another command has already moved it there.
        @Test(arguments: User.available) func `to where somebody else has put the client already changes nothing`(
            user: User
        ) throws {
            let daemon = try RunningDaemon(as: user)
            defer { daemon.end() }
            let json = Binaries.scratch.appending(path: "\(UUID().uuidString).json").path
            let output = try EndToEndTests.run(
                [
                    Binaries.ipv6check, "--once", "--json", json, "--network", "dual-stack 3s, nat64 500ms, strict",
                    "--simulator", "unix:\(daemon.folder.path)/attach.sock", "sh", "-c",
                    """
                    '\(Binaries.nat64sim)' network --socket \(daemon.folder.path)/control.sock 1 nat64
                    ip -o monitor address > \(json).log & monitor=$!
                    for _ in $(seq 200); do grep -q ':1::c0:300/64' \(json).log && break; sleep 0.1; done
                    kill $monitor
                    cat \(json).log
                    """,
                ], as: user)
            // The nat64 address is deleted once, when strict follows, and was not added again.
            let lines = output.text.split(separator: "\n")
            #expect(lines.count { $0.contains(":1::c0:100/64") } == 1, Comment(rawValue: output.text))
            #expect(lines.contains { $0.hasPrefix("Deleted") && $0.contains(":1::c0:100/64") })
            let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: json)))
            #expect(report.runs[0].timeline?.map(\.network) == ["dual-stack", "nat64", "strict"])
        }

        /// A schedule in a suite: the case's name, its results, and its control run with the same gaps.
        @Test(arguments: [(User.ordinary, Simulator.daemon)])
        func `is a network of suites, too`(user: User, simulator: Simulator) throws {
            let source = Binaries.root.appending(path: "fixtures/clients/kept_connection.py").path
            let folder = try SuiteFolder(
                """
                  - { name: held, command: [python3, \(source), echo.test, "7", "5"] }
                  - name: known
                    command: [python3, \(source), echo.test, "7", "5"]
                    known: { rule: V6C-078, on: "dual-stack 2s,none 200ms,nat64", reason: r, until: never }
                  - { name: anew, command: [env, WORKS_EVERYWHERE=1, python3, \(source), echo.test, "7", "5"] }
                """, head: "networks: dual-stack 2s, none 200ms, nat64\ndefaults: { slow: 5m }")
            let daemon = simulator == .daemon ? try RunningDaemon(as: user) : nil
            defer { daemon?.end() }
            let environment = daemon.map { ["IPV6CHECK_SIMULATOR": "unix:\($0.folder.path)/attach.sock"] } ?? [:]
            let output = try folder.command(
                [
                    "suite", "--jobs", "3", "--json", folder.path("all.json"), "--junit", folder.path("junit.xml"),
                    "--output", folder.path("kept"),
                ], as: user, environment: environment)
            let network = "dual-stack-2s,none-200ms,nat64"
            #expect(
                output.outcomes == ["held@\(network)": "FAIL", "known@\(network)": "KNOWN", "anew@\(network)": "PASS"],
                Comment(rawValue: output.standardError))
            #expect(output.status == 1 && output.standardError.contains("V6C-078"))
            let cases = try #require(try folder.json("all.json")["cases"] as? [[String: Any]])
            #expect(
                cases.map { $0["network"] as? String }
                    == .init(repeating: "dual-stack 2s, none 200ms, nat64", count: 3))
            #expect((cases[0]["runs"] as? [[String: Any]])?.last?["network"] as? String == "dual-stack")
            #expect(
                try folder.read("junit.xml").contains(
                    #"classname="shop.dual-stack 2s, none 200ms, nat64" name="held""#))
            #expect(try folder.read("kept/anew@\(network)/first/stdout").hasSuffix("hello\n"))
            let list = try folder.suite(
                "--list", "--network", "dual-stack 2s, none 200ms, nat64", "--filter", "*@dual-stack-*", as: user)
            #expect(list.text.split(separator: "\n").count == 3, list.told)
        }

        @Test func `stands in a list of networks, with a control run that has its gaps`() throws {
            let source = Binaries.root.appending(path: "fixtures/clients/kept_connection.py").path
            let output = try ipv6check(
                "--networks", "nat64; dual-stack 2s, none 200ms, nat64", "python3", source, "echo.test", "7", "5")
            #expect(output.status == 1)
            #expect(
                output.standardError.contains(#/  nat64 +PASS\n  dual-stack 2s, none 200ms, nat64 +FAIL +V6C-078/#),
                Comment(rawValue: output.standardError))
        }

        @Test func `that cannot be is refused with what is wrong`() throws {
            let output = try ipv6check("--network", "dual-stack, nat64", "true")
            #expect(output.status == 2)
            #expect(output.standardError.contains("how long is the client on dual-stack?"))
        }

        /// As after a restart of the NAT64: no message is sent, and the client's open connections lead nowhere.
        @Test(arguments: User.available) func `a daemon's NAT64 forgets sessions when it is told to`(user: User) throws
        {
            let daemon = try RunningDaemon(as: user)
            defer { daemon.end() }
            let client = """
                import socket, subprocess, sys
                held = socket.create_connection(("shop.test", 80), timeout=2)
                held.settimeout(1)
                held.sendall(b"HEAD / HTTP/1.1\\r\\nHost: shop.test\\r\\n\\r\\n")
                held.recv(4096)
                subprocess.run(sys.argv[1:], check=True)
                held.sendall(b"HEAD / HTTP/1.1\\r\\nHost: shop.test\\r\\n\\r\\n")
                held.recv(4096)
                """
            let output = try EndToEndTests.run(
                [
                    Binaries.ipv6check, "--simulator", "unix:\(daemon.folder.path)/attach.sock", "python3", "-c",
                    client,
                    Binaries.nat64sim, "sessions", "forget", "--socket", "\(daemon.folder.path)/control.sock",
                ], as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-059"), Comment(rawValue: output.standardError))
            #expect(output.text.contains("FORGOTTEN"))
        }

        @Test(arguments: User.available) func `somebody else moves a daemon's client while it runs`(user: User) throws {
            let daemon = try RunningDaemon(as: user)
            defer { daemon.end() }
            let move = "'\(Binaries.nat64sim)' network --socket \(daemon.folder.path)/control.sock"
            let output = try EndToEndTests.run(
                [
                    Binaries.ipv6check, "--once", "--network", "dual-stack", "--simulator",
                    "unix:\(daemon.folder.path)/attach.sock", "sh", "-c",
                    """
                    curl -fsS http://six.test/ip
                    \(move) 1 none; ip -o address show scope global; ip route; ip -6 route show default
                    \(move) 1 nat64; curl -fsS http://six.test/ip; curl -fsS http://shop.test/ip; grep nameserver /etc/resolv.conf
                    \(move) 1 nat65; \(move) 9 nat64
                    true
                    """,
                ], as: user)
            expectPass(output)
            #expect(
                output.text == """
                    2e00:2:0:1::c0:200
                    client 1 is on none
                    client 1 is on nat64
                    2e00:2:0:1::c0:100
                    192.0.2.64
                    nameserver 2e00:2:0:1::1

                    """, Comment(rawValue: output.text + output.standardError))
            #expect(output.standardError.contains("a network is one of nat64, nat64-no-dns64"))
            #expect(output.standardError.contains("no client 9"))
            #expect(
                output.standardError.contains(/dual-stack, none from .* nat64 from/),
                Comment(rawValue: output.standardError))
        }
    }
}
