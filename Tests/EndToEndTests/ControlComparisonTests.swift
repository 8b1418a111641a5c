// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Clients that pass on both networks, but reach a host only on dual-stack (V6C-087).
    @Suite struct ControlComparisonTests {
        /// Programs that send datagrams to a host, as benchmarks and metrics do, and exit with 0 even if none arrives. `WORKS` makes
        /// them accept either family instead of IPv4 alone.
        private static let senders: [(program: String, arguments: [String])] = [
            (
                "python3",
                [
                    "-c",
                    """
                    import os, socket
                    for info in socket.getaddrinfo("echo.test", 7, 0 if os.environ.get("WORKS") else socket.AF_INET, socket.SOCK_DGRAM)[:1]:
                        s = socket.socket(info[0], info[1])
                        for _ in range(20):
                            try: s.sendto(b"x" * 1000, info[4])
                            except OSError: pass
                    """,
                ]
            ),
            (
                "perl",
                [
                    "-MSocket=:all", "-e",
                    """
                    my ($e, @a) = getaddrinfo("echo.test", 7, {family => $ENV{WORKS} ? 0 : AF_INET, socktype => SOCK_DGRAM});
                    socket(my $s, $a[0]{family}, SOCK_DGRAM, 0);
                    send($s, "x" x 1000, 0, $a[0]{addr}) for 1 .. 20;
                    """,
                ]
            ),
            (
                "node",
                [
                    "-e",
                    """
                    const u = require("dgram").createSocket(process.env.WORKS ? "udp6" : "udp4");
                    u.on("error", () => {});
                    let open = 20;
                    const done = () => { if (--open == 0) setTimeout(() => u.close(), 50); };
                    for (let i = 0; i < 20; i++) u.send(Buffer.alloc(1000), 7, "echo.test", done);
                    """,
                ]
            ),
        ]

        private func findings(_ command: [String], _ options: String..., environment: [String: String] = [:]) throws
            -> (output: Output, rules: [String], text: String)
        {
            struct Report: Decodable {
                struct Finding: Decodable { var rule: String }
                var findings: [Finding]
            }
            let json = Binaries.scratch.appending(path: "\(UUID().uuidString).json")
            let output = try run(
                [Binaries.ipv6check, "--json", json.path] + options + ["--"] + command, environment: environment)
            let data = try Data(contentsOf: json)
            let rules = try JSONDecoder().decode(Report.self, from: data).findings.map(\.rule)
            return (output, rules, String(decoding: data, as: UTF8.self))
        }

        @Test(arguments: senders.indices)
        func `datagrams that leave on dual-stack alone are missed here`(index: Int) throws {
            let (program, arguments) = Self.senders[index]
            try #require(isInstalled(program))
            let command = [program] + arguments
            let lost = try findings(command, "--control", "always")
            #expect(lost.output.status == 0, lost.output.told)
            #expect(lost.rules == ["V6C-085"], lost.output.told)
            #expect(
                lost.output.standardError.contains("echo.test, 198.51.100.7 (udp 7): 20.0 kB sent"), lost.output.told)
            let works = try findings(command, "--control", "always", environment: ["WORKS": "1"])
            expectPass(works.output)
            #expect(works.rules.isEmpty, works.output.told)
            let gate = try findings(command, "--control", "always", "--fail-on", "warning")
            #expect(gate.output.status == 1, gate.output.told)
        }

        /// Programs that look a host up for both families and pass its IPv6 address over, beside a page that they get.
        private static let filters: [(program: String, arguments: [String])] = [
            (
                "python3",
                [
                    "-c",
                    """
                    import os, socket, urllib.request
                    try:
                        family, kind, protocol, _, address = socket.getaddrinfo("echo.test", 7, type=socket.SOCK_STREAM)[0]
                        beat = socket.socket(family if os.environ.get("WORKS") else socket.AF_INET, kind)
                        beat.connect(address[:2]); beat.sendall(b"alive"); beat.recv(10)
                    except OSError: pass
                    urllib.request.urlopen("http://shop.test/").read()
                    """,
                ]
            ),
            (
                "perl",
                [
                    "-MSocket=:all", "-e",
                    """
                    my ($e, $a) = getaddrinfo("echo.test", 7, {socktype => SOCK_DGRAM});
                    my ($f, $host) = getnameinfo($a->{addr}, NI_NUMERICHOST | NI_NUMERICSERV);
                    if ($ENV{WORKS} || $host =~ /^\\d+\\.\\d+\\.\\d+\\.\\d+$/) {
                        socket(my $s, $a->{family}, SOCK_DGRAM, 0); send($s, "x", 0, $a->{addr});
                    }
                    exit system("curl -sf -o /dev/null http://shop.test/") >> 8;
                    """,
                ]
            ),
            (
                "bash",
                [
                    "-c",
                    """
                    address=$(getent ahosts echo.test | awk '{ print $1; exit }')
                    [ -z "$WORKS" ] && case $address in *.*.*.*) ;; *) address= ;; esac
                    [ -z "$address" ] || echo alive | nc -N -w 2 "$address" 7 > /dev/null
                    curl -sf -o /dev/null http://shop.test/
                    """,
                ]
            ),
        ]

        @Test(arguments: filters.indices)
        func `a host that was looked up and got nothing is compared with dual-stack without being told to`(index: Int)
            throws
        {
            let (program, arguments) = Self.filters[index]
            try #require(isInstalled(program))
            let lost = try findings([program] + arguments)
            #expect(lost.output.status == 0, lost.output.told)
            #expect(lost.rules == ["V6C-087"], lost.output.told)
            let works = try findings([program] + arguments, environment: ["WORKS": "1"])
            expectPass(works.output)
            #expect(works.rules.isEmpty && !works.output.standardError.contains("dual-stack"), works.output.told)
        }

        @Test func `a program that only looks names up passes without a finding`() throws {
            for script in [
                "getent hosts shop.test", "getent ahosts shop.test; curl -sf -o /dev/null http://dual.test/",
            ] {
                let healthy = try findings(["sh", "-c", script])
                expectPass(healthy.output)
                #expect(healthy.rules.isEmpty, healthy.output.told)
            }
        }

        @Test func `a suite's comparison with dual-stack tells it, too`() throws {
            let folder = try SuiteFolder(
                """
                  - name: metrics
                    command: [python3, metrics.py, echo.test, "7"]
                    fail-on: warning
                    expect: { slower-than-dual-stack: 100x }
                  - name: healthy
                    command: [python3, metrics.py, echo.test, "7"]
                    env: { WORKS_EVERYWHERE: "1" }
                    fail-on: warning
                    expect: { slower-than-dual-stack: 100x }
                """,
                files: [
                    "metrics.py": try String(
                        contentsOf: Binaries.root.appending(path: "fixtures/clients/metrics_by_colon.py"),
                        encoding: .utf8)
                ])
            let output = try folder.suite()
            #expect(output.status == 1, output.told)
            #expect(output.outcomes == ["metrics@nat64": "FAIL", "healthy@nat64": "PASS"], output.told)
            #expect(output.standardError.contains("V6C-087"), output.told)
        }

        /// Each asks a host twice, the second time if the address of the first connection reads as IPv4.
        private static let partial: [[String]] = [
            [
                "perl", "-MIO::Socket::IP", "-e",
                """
                sub ask { my $s = IO::Socket::IP->new("shop.test:80") or die; print $s "GET /$_[0] HTTP/1.0\\r\\n\\r\\n"; <$s>; $s->peerhost }
                my $peer = ask("status/200");
                if ($ENV{WORKS} || $peer =~ /^\\d+\\.\\d+\\.\\d+\\.\\d+$/) { ask("status/204?from=$peer") } else { warn "$peer is not an address\\n" }
                """,
            ],
            [
                "node", "-e",
                """
                const net = require("net");
                const ask = (path, then) => {
                    const s = net.connect(80, "shop.test", () => { s.write(`GET /${path} HTTP/1.0\\r\\n\\r\\n`) });
                    s.on("data", () => { const peer = s.remoteAddress; s.destroy(); then(peer) });
                };
                ask("status/200", peer => { if (process.env.WORKS || net.isIPv4(peer)) ask("status/204?from=" + peer, () => {}) });
                """,
            ],
            [
                "ruby", "-rsocket", "-e",
                """
                def ask(path) = TCPSocket.open("shop.test", 80) { |s| s.write("GET /#{path} HTTP/1.0\\r\\n\\r\\n"); s.gets; s.peeraddr[3] }
                peer = ask("status/200")
                ask("status/204?from=#{peer}") if ENV["WORKS"] || peer.split(".").size == 4
                """,
            ],
        ]

        @Test(arguments: partial)
        func `a request that is left out at a host that is reached is told, and its twin is silent`(command: [String])
            throws
        {
            let lost = try findings(command, "--control", "always")
            #expect(lost.output.status == 0 && lost.rules == ["V6C-103"], lost.output.told)
            #expect(lost.text.contains("2 connections"), lost.output.told)
            let healthy = try findings(command, "--control", "always", environment: ["WORKS": "1"])
            #expect(healthy.output.status == 0 && healthy.rules.isEmpty, healthy.output.told)
        }

        /// Each connects, and sends nothing if it cannot take its peer's address apart.
        @Test(arguments: [
            [
                "node", "-e",
                """
                const s = require("net").connect(7, "echo.test", () => {
                    if (!process.env.WORKS && s.remoteAddress.split(".").length != 4) { console.log("metrics off: bad octet"); return s.destroy() }
                    s.write("started"); s.on("data", () => s.destroy());
                });
                """,
            ],
            [
                "ruby", "-rsocket", "-e",
                """
                s = TCPSocket.new("echo.test", 7)
                if ENV["WORKS"] || s.peeraddr[3] =~ /^[0-9.]+$/ then s.write("started"); s.readpartial(7) else warn "not an address" end
                """,
            ],
        ])
        func `a host that is reached and told nothing is told, with the client's words`(command: [String]) throws {
            let lost = try findings(command, "--control", "always")
            #expect(lost.output.status == 0 && lost.rules == ["V6C-103"], lost.output.told)
            #expect(lost.text.contains("connection with 0 B sent here. It"), lost.output.told)
            let healthy = try findings(command, "--control", "always", environment: ["WORKS": "1"])
            #expect(healthy.output.status == 0 && healthy.rules.isEmpty, healthy.output.told)
        }

        @Test func `one request of many that is left out on a connection that is kept is told`() throws {
            let client = """
                import http.client, os
                link = http.client.HTTPConnection("shop.test")
                def ask(path):
                    link.request("GET", path)
                    link.getresponse().read()
                for number in range(5): ask(f"/status/200?n={number}")
                if os.environ.get("WORKS") or link.sock.getpeername()[0].count(".") == 3: ask("/status/200?n=5")
                """
            let lost = try findings(["python3", "-c", client], "--control", "always")
            #expect(lost.output.status == 0 && lost.rules == ["V6C-103"], lost.output.told)
            #expect(lost.text.contains("6 requests in 1 connection"), lost.output.told)
            let healthy = try findings(["python3", "-c", client], "--control", "always", environment: ["WORKS": "1"])
            #expect(healthy.output.status == 0 && healthy.rules.isEmpty, healthy.output.told)
        }

        /// The thread sends as much on both networks.
        private static let thread = """
            import os, socket, threading
            def work():
                s = socket.create_connection(("echo.test", 7))
                peer = s.getpeername()[0]
                s.sendall(b"peer")
                s.recv(4)
                if not os.environ.get("WORKS"):
                    a, b, c, d = peer.split(".")
            t = threading.Thread(target=work)
            t.start()
            t.join()
            """

        @Test func `an error that a pass reports here alone is told with its line`() throws {
            let folder = try SuiteFolder("", files: ["peers.py": Self.thread])
            let script = folder.path("peers.py")
            let dead = try findings(["python3", script], "--control", "always")
            #expect(dead.output.status == 0 && dead.rules == ["V6C-100"], dead.output.told)
            #expect(
                dead.text.contains("not enough values to unpack") && dead.text.contains("peers.py:8"), dead.output.told)
            let healthy = try findings(["python3", script], "--control", "always", environment: ["WORKS": "1"])
            #expect(healthy.output.status == 0 && healthy.rules.isEmpty, healthy.output.told)
        }

        @Test(arguments: [
            "curl -sf -o /dev/null http://shop.test/ http://dual.test/ http://six.test/",
            "ping -c 1 -W 2 shop.test; dig shop.test A +short; dig @192.0.2.1 shop.test +time=1 +tries=1",
            "curl -sf -o /dev/null http://www.shop.test/; curl -s http://dual.test:81/; true",
            "for n in 1 2 3 4 5 6 7 8; do curl -sf -o /dev/null http://$([ $((RANDOM % 2)) = 0 ] && echo shop || echo dual).test/; done",
        ])
        func `programs that do the same on both networks meet nothing`(script: String) throws {
            let healthy = try findings(["bash", "-c", script + "; exit 0"], "--control", "always")
            #expect(healthy.output.status == 0, healthy.output.told)
            #expect(healthy.rules.filter { ["V6C-087", "V6C-090", "V6C-103"].contains($0) } == [], healthy.output.told)
        }
    }
}
