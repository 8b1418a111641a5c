// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A pass is proven or reported as unproven, by the kernel's counters of a client that is not traced.
    @Suite struct SilentPassTests {
        private struct Report: Decodable {
            struct Finding: Decodable {
                var rule: String
            }
            var findings: [Finding]
        }

        /// The rules of the findings on a client that passes.
        private func rules(
            _ command: [String], options: [String] = [], world: String = SilentPassTests.world,
            as user: User = .available[0]
        ) throws -> [String] {
            let folder = try SuiteFolder("", files: ["world.yaml": world])
            let json = folder.path("report.json")
            let words = [Binaries.ipv6check, "--json", json, "--world", folder.path("world.yaml")] + options
            let output = try run(words + ["--"] + command, as: user)
            expectPass(output)
            return try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: json))).findings.map(
                \.rule)
        }

        private static let world = """
            version: 1
            hosts:
              metrics.test: { addresses: [198.51.100.35], services: { udp-echo: 8125 } }
              shop.test: { addresses: [198.51.100.10], services: [http] }
              two.test: { addresses: [198.51.100.36], services: { http: 80, udp-echo: 8125 } }
              both.test: { addresses: [198.51.100.20, "2e00:2:0:cafe::20"], services: [http] }
            records:
              - list.test A 127.0.0.2
              - www.shop.test CNAME shop.test
            """

        private static let metric = """
            import socket
            address = socket.gethostbyname("metrics.test")
            try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"builds:1|c", (address, 8125))
            except OSError: pass
            """

        /// Each reads the text of its peer's address for IPv4, and leaves a part out where that fails; the healthy ones then read it for
        /// IPv6.
        private static let readers: [(program: String, arguments: [String])] = [
            (
                "python3",
                [
                    "-c",
                    """
                    import os, socket
                    s = socket.create_connection(("two.test", 80))
                    peer = s.getpeername()[0]
                    try: key = socket.inet_aton(peer)
                    except OSError: key = socket.inet_pton(socket.AF_INET6, peer) if os.environ.get("WORKS") else b""
                    s.sendall(b"GET /ip?" + key.hex().encode() + b" HTTP/1.0\\r\\n\\r\\n")
                    s.recv(100)
                    """,
                ]
            ),
            (
                "perl",
                [
                    "-MIO::Socket::IP", "-MSocket=inet_pton,AF_INET,AF_INET6", "-e",
                    """
                    my $s = IO::Socket::IP->new("two.test:80");
                    my $key = inet_pton(AF_INET, $s->peerhost) // ($ENV{WORKS} ? inet_pton(AF_INET6, $s->peerhost) : "");
                    print $s "GET /ip?" . unpack("H*", $key) . " HTTP/1.0\\r\\n\\r\\n"; <$s>;
                    """,
                ]
            ),
            (
                "php",
                [
                    "-r",
                    """
                    $s = stream_socket_client("tcp://two.test:80");
                    $peer = preg_replace('/^\\[?(.*?)\\]?:\\d+$/', '$1', stream_socket_get_name($s, true));
                    $key = ip2long($peer) ?: (getenv("WORKS") ? bin2hex(inet_pton($peer)) : "");
                    fwrite($s, "GET /ip?$key HTTP/1.0\\r\\n\\r\\n"); fgets($s);
                    """,
                ]
            ),
        ]

        @Test(arguments: readers.indices)
        func `a part that is left out as an address is read for IPv4 alone is told`(_ index: Int) throws {
            let (program, arguments) = Self.readers[index]
            try #require(isInstalled(program))
            #expect(try rules([program] + arguments) == ["V6C-020"])
            #expect(try rules(["env", "WORKS=1", program] + arguments).isEmpty)
        }

        @Test(arguments: User.available) func `a metric that never arrives is told`(_ user: User) throws {
            #expect(try rules(["python3", "-c", Self.metric], as: user) == ["V6C-085"])
        }

        @Test(arguments: User.available) func `a part that is left out where there is no IPv4 address is told`(
            _ user: User
        ) throws {
            let ruby = { (families: String) in
                """
                require "socket"; require "net/http"
                Net::HTTP.get("both.test", "/ip")
                online = Socket.ip_address_list.any? { |a| \(families) && !a.ipv4_loopback? && !a.ipv6_loopback? }
                Net::HTTP.get("shop.test", "/ip") if online
                """
            }
            #expect(try rules(["ruby", "-e", ruby("a.ipv4?")], as: user) == ["V6C-037"])
            #expect(try rules(["ruby", "-e", ruby("a.ip?")], as: user).isEmpty)
            for question in ["ip -j addr", "ip route get 8.8.8.8", "cat /proc/net/route | ip -o addr"] {
                let shell = "case $(\(question) 2>&1) in *192.0.2.*) curl -s http://shop.test/ip ;; esac; true"
                #expect(try rules(["sh", "-c", shell], as: user) == ["V6C-037"], Comment(rawValue: question))
            }
            for family in ["0.0.0.0/0", "00000000"] {
                let routes = """
                    import urllib.request
                    urllib.request.urlopen("http://both.test/ip").read()
                    routes = [line.split() for line in open("/proc/net/route").readlines()[1:]]
                    online = any(route[1] == "\(family)" for route in routes)
                    if online: urllib.request.urlopen("http://shop.test/ip").read()
                    """
                let isTold = family == "00000000"
                #expect(try rules(["python3", "-c", routes], as: user) == (isTold ? ["V6C-037"] : []))
            }
            let ping = "ping -c1 -W1 8.8.8.8 >/dev/null 2>&1 && curl -s http://shop.test/ip; true"
            #expect(try rules(["sh", "-c", ping], as: user) == ["V6C-038"])
            let own = "ping -c1 -W1 127.0.0.1; nc -z -w1 127.0.0.1 9; curl -s http://shop.test/ip"
            #expect(try rules(["sh", "-c", own], as: user).isEmpty)
            let shell = "ip -4 addr show scope global | grep -q inet && curl -s http://shop.test/ip; true"
            #expect(try rules(["sh", "-c", shell], as: user) == ["V6C-037"])
        }

        @Test func `an address that a guard refuses, and one that is tried after the connection, are told`() throws {
            let guarding = """
                import ipaddress, socket
                for *_, address in socket.getaddrinfo("shop.test", 80, type=socket.SOCK_STREAM):
                    if ipaddress.ip_address(address[0]).is_global and ":" not in address[0]:
                        try: socket.create_connection(address, 5)
                        except OSError: pass
                        break
                """
            #expect(Set(try rules(["python3", "-c", guarding])).isSubset(of: ["V6C-024", "V6C-087"]))
            let after = """
                import urllib.request
                urllib.request.urlopen("http://shop.test/ip").read()
                try: urllib.request.urlopen("http://198.51.100.10/anything", b"{}")
                except OSError: pass
                """
            #expect(try rules(["python3", "-c", after]) == ["V6C-024"])
        }

        @Test func `a second port of a host that is left out is told, and one that is used is not`() throws {
            let metric = { (family: String) in
                """
                import ipaddress, socket, urllib.request
                def push(host, port):
                    *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
                    try: ipaddress.\(family)(address[0])
                    except ValueError: return
                    link = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET, socket.SOCK_DGRAM)
                    link.sendto(b"up:1|c", address)
                    link.settimeout(5)
                    link.recv(100)
                push("two.test", 8125)
                urllib.request.urlopen("http://two.test/ip").read()
                """
            }
            #expect(try rules(["python3", "-c", metric("IPv4Address")]) == ["V6C-087"])
            #expect(try rules(["python3", "-c", metric("ip_address")]).isEmpty)
        }

        @Test func `a port that refuses by IPv6 first is no hidden attempt by IPv4`() throws {
            let ruby = """
                require "net/http"
                begin; Net::HTTP.get_response(URI("http://shop.test:99/")); rescue SystemCallError; end
                Net::HTTP.get_response(URI("http://shop.test/ip"))
                """
            for _ in 0..<3 { #expect(try rules(["ruby", "-e", ruby]).isEmpty) }
        }

        @Test func `whatever language sends it, statically linked or not`() throws {
            let c = """
                #include <netdb.h>
                #include <netinet/in.h>
                #include <string.h>
                #include <sys/socket.h>
                int main(void) {
                    struct hostent *host = gethostbyname("metrics.test");
                    if (!host) return 1;
                    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(8125)};
                    memcpy(&to.sin_addr, host->h_addr_list[0], 4);
                    sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&to, sizeof to);
                    return 0;
                }
                """
            let folder = try SuiteFolder("", files: ["metric.c": c])
            // glibc warns that a static gethostbyname needs its shared libraries at run time.
            let built = try folder.bash("cc -static -w -o metric metric.c 2> told || { cat told >&2; exit 1; }")
            try #require(built.status == 0, built.told)
            #expect(try rules([folder.path("metric")]) == ["V6C-085"])
            let perl = #"IO::Socket::INET->new(PeerAddr => "metrics.test:8125", Proto => "udp")"#
            #expect(try rules(["perl", "-MIO::Socket::INET", "-e", perl]) == ["V6C-085"])
        }

        @Test(.enabled(if: isInstalled("go"), "needs go")) func `a Go program without libc does, too`() throws {
            let go = """
                package main

                import "net"

                func main() {
                	if c, err := net.Dial("udp4", "metrics.test:8125"); err == nil {
                		c.Write([]byte("x"))
                	}
                }
                """
            let folder = try SuiteFolder("", files: ["metric.go": go])
            let built = try folder.bash(
                "GOCACHE=$PWD/.cache GO111MODULE=off CGO_ENABLED=0 go build -o metric metric.go")
            try #require(built.status == 0, built.told)
            #expect(try rules([folder.path("metric")]) == ["V6C-085"])
        }

        @Test func `who only looks up is told a note, and an answer that is no host's address nothing`() throws {
            let lookup = "import socket; socket.gethostbyname('metrics.test')"
            #expect(try rules(["python3", "-c", lookup]) == ["V6C-089"])
            #expect(try rules(["python3", "-c", "import socket; socket.gethostbyname('list.test')"]).isEmpty)
            let other =
                "import socket; socket.gethostbyname('www.shop.test'); socket.create_connection(('shop.test', 80))"
            #expect(try rules(["python3", "-c", other]).isEmpty)
        }

        /// Tools that only look names up, and a client with its own forwarder.
        @Test func `dig, and a client of a forwarder that it has itself, are told nothing that is wrong`() throws {
            #expect(try rules(["dig", "+short", "A", "shop.test"]).allSatisfy { $0 == "V6C-089" })
            #expect(try rules(["dig", "+short", "AAAA", "shop.test"]).isEmpty)
            let forwarder = """
                import socket, threading
                here, there = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                here.bind(("127.0.0.1", 5353))
                there.connect((open("/etc/resolv.conf").read().split("nameserver ")[1].split()[0], 53))
                def forward():
                    while True:
                        query, asker = here.recvfrom(512)
                        there.send(query)
                        here.sendto(there.recv(4096), asker)
                threading.Thread(target=forward, daemon=True).start()
                import subprocess
                for family in ("A", "AAAA"):
                    answer = subprocess.run(["dig", "-p", "5353", "@127.0.0.1", "+short", family, "shop.test"], capture_output=True, text=True)
                    assert answer.returncode == 0, answer
                socket.create_connection((answer.stdout.split()[0], 80), 5)
                """
            #expect(try rules(["python3", "-c", forwarder]).isEmpty)
        }

        @Test func `what getaddrinfo connects to sort its answer, and a late IPv6 answer, are no attempts`() throws {
            for name in ["shop.test", "both.test"] {
                let fetch = ["curl", "-fsS", "http://\(name)/"]
                #expect(try rules(fetch).isEmpty)
                #expect(try rules(fetch, options: ["--conditions", "delay=300ms"]).isEmpty)
                #expect(try rules(fetch, options: ["--getaddrinfo", "linux"]).isEmpty)
            }
        }

        @Test func `an attempt by an address of its own is told without a trace`() throws {
            let telemetry = """
                import socket
                socket.create_connection(("shop.test", 80)).close()
                try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("203.0.113.7", 9))
                except OSError: pass
                """
            for options in [[], ["--trace", "never"]] {
                #expect(try rules(["python3", "-c", telemetry], options: options) == ["V6C-024"])
            }
        }

        /// The rest of a program that does something else by IPv4, and goes on without a word.
        private struct Aside: CustomTestStringConvertible {
            let rule: String?
            let command: [String]
            let testDescription: String

            init(_ rule: String?, _ description: String, _ command: String...) {
                (self.rule, testDescription, self.command) = (rule, description, command)
            }
        }

        private static let connect = "socket.create_connection(('shop.test', 80)).close()"

        private static func python(_ lines: String) -> String { "import socket\n\(lines)\n\(connect)" }

        private static let joining = """
            request = socket.inet_aton('239.1.2.3') + bytes(4)
            try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
            except OSError: pass
            """

        private static let asking = """
            import fcntl, struct
            def has_ipv4():
                try: fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8915, struct.pack('256s', b'eth0'))
                except OSError: return False
                return True
            """

        @Test(arguments: [
            Aside(
                "V6C-024", "a literal after the answer of dig", "bash", "-c",
                "dig +short shop.test A > /dev/null; python3 -c \"$1\"", "bash",
                python("try: socket.socket().connect(('203.0.113.7', 80))\nexcept OSError: pass")),
            Aside(
                "V6C-024", "a literal, in Perl", "perl", "-MIO::Socket::INET", "-MIO::Socket::IP", "-e",
                "IO::Socket::INET->new('203.0.113.7:80'); IO::Socket::IP->new('shop.test:80') or die"),
            Aside(
                "V6C-024", "a literal, in Node.js", "node", "-e",
                """
                const net = require('net');
                net.connect(80, '203.0.113.7').on('error', () => net.connect(80, 'shop.test', function () { this.end() }));
                """),
            Aside(
                "V6C-024", "a literal that AI_ADDRCONFIG refuses, at an address that is also reached by name",
                "python3", "-c",
                python(
                    """
                    try:
                        found = socket.getaddrinfo('198.51.100.10', 80, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
                        socket.create_connection(found[0][4][:2])
                    except OSError: pass
                    """)),
            Aside(
                "V6C-024", "the same in Ruby", "ruby", "-rsocket", "-e",
                """
                begin
                  Addrinfo.getaddrinfo("198.51.100.20", 80, nil, :STREAM, nil, Socket::AI_ADDRCONFIG).first.connect.close
                rescue SocketError, SystemCallError
                end
                TCPSocket.new("shop.test", 80).close
                """),
            Aside(
                nil, "the question whether a text is an address", "python3", "-c",
                python(
                    """
                    for flags in (socket.AI_NUMERICHOST, socket.AI_NUMERICHOST | socket.AI_ADDRCONFIG):
                        try: socket.getaddrinfo('198.51.100.10', 80, flags=flags)
                        except OSError: pass
                    """)),
            Aside("V6C-040", "a group that is joined", "python3", "-c", python(joining)),
            Aside(
                "V6C-040", "a group that is joined, in Node.js", "node", "-e",
                """
                const socket = require('dgram').createSocket('udp4');
                socket.bind(5007, () => {
                    try { socket.addMembership('239.1.2.3') } catch {}
                    require('net').connect(80, 'shop.test', function () { this.end(); socket.close() });
                });
                """),
            Aside(
                nil, "a group of each family", "python3", "-c",
                python(
                    joining + """

                        group = socket.inet_pton(socket.AF_INET6, 'ff02::fb') + (2).to_bytes(4, 'little')
                        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
                        """)),
            Aside("V6C-037", "a part for IPv4 alone", "python3", "-c", python(asking + "\nif has_ipv4(): \(connect)")),
            Aside(nil, "a list of addresses", "python3", "-c", python(asking + "\nprint(has_ipv4())")),
            Aside(
                "V6C-025", "a server for datagrams", "python3", "-c",
                python("server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.bind(('', 5300))")),
            Aside(
                "V6C-025", "a server for datagrams, in Perl", "perl", "-MIO::Socket::INET", "-MIO::Socket::IP", "-e",
                "my $server = IO::Socket::INET->new(LocalPort => 5300, Proto => 'udp') or die; IO::Socket::IP->new('shop.test:80') or die"
            ),
            Aside(
                nil, "a server for datagrams of each family", "python3", "-c",
                python(
                    """
                    servers = [socket.socket(f, socket.SOCK_DGRAM) for f in (socket.AF_INET, socket.AF_INET6)]
                    servers[1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                    for server in servers: server.bind(('', 5300))
                    """)),
            Aside(
                "V6C-025", "a server", "python3", "-c", python("server = socket.create_server(('0.0.0.0', 8080))")),
            Aside(
                nil, "a server that it needs itself", "python3", "-c",
                python(
                    "server = socket.create_server(('0.0.0.0', 0)); socket.create_connection(('127.0.0.1', server.getsockname()[1]))"
                )),
            Aside(
                nil, "a question for its own address of either family", "python3", "-c",
                python(
                    """
                    for family, address in ((socket.AF_INET, '203.0.113.7'), (socket.AF_INET6, '2e00:2:0:cafe::20')):
                        try: socket.socket(family, socket.SOCK_DGRAM).connect((address, 53))
                        except OSError: pass
                    """)),
        ])
        private func `what a program does beside by IPv4 is told, and what costs it nothing is not`(_ aside: Aside)
            throws
        {
            #expect(try rules(aside.command) == (aside.rule.map { [$0] } ?? []))
        }

        @Test func `what is told of a pass has its line, and a pass whose second run fails is one`() throws {
            let folder = try SuiteFolder(
                "",
                files: [
                    "server.py": Self.python(
                        "server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nserver.bind(('', 5300))"),
                    "shy.py": """
                    \(Self.python("try: socket.socket().connect(('203.0.113.7', 80))\nexcept OSError: pass"))
                    import os, sys
                    been = os.path.exists(sys.argv[1])
                    open(sys.argv[1], 'w').close()
                    sys.exit(been)
                    """,
                ])
            let output = try run([Binaries.ipv6check, "python3", folder.path("server.py")])
            #expect(output.status == 0 && output.standardError.contains("server.py:3): no IPv6 host"), output.told)
            #expect(output.standardError.contains("second run, traced"), output.told)
            let shy = try run([Binaries.ipv6check, "python3", folder.path("shy.py"), folder.path("been")])
            #expect(shy.status == 0 && shy.standardError.contains("PASS"), shy.told)
            #expect(shy.standardError.contains("V6C-024") && shy.standardError.contains("decides nothing"), shy.told)
        }

        @Test func `healthy clients run once`() throws {
            for command in [
                ["curl", "-fsS", "http://shop.test/"], ["wget", "-qO-", "http://shop.test/"],
                ["python3", "-c", "import urllib.request; urllib.request.urlopen('http://shop.test/')"],
                ["node", "-e", "fetch('http://shop.test/').then(r => r.text())"],
                ["ruby", "-rnet/http", "-e", "Net::HTTP.get(URI('http://shop.test/'))"],
                ["php", "-r", "file_get_contents('http://shop.test/');"], ["ping", "-c1", "shop.test"],
            ] {
                // On a busy machine an answer may be so late that a client begins a connection by IPv4 beside it.
                var runsOnce = false
                for _ in 0..<3 where !runsOnce {
                    runsOnce = !(try run([Binaries.ipv6check] + command)).standardError.contains("second run")
                }
                #expect(runsOnce, "\(command)")
            }
        }

        @Test(arguments: User.available) func `a client that is gone at once has been counted`(_ user: User) throws {
            for network in ["nat64", "dual-stack", "ipv4-only"] {
                #expect(try rules(["true"], options: ["--network", network], as: user) == ["V6C-086"])
            }
            #expect(try rules(["true"], options: ["--link", "ra"], as: user) == ["V6C-086"])
        }

        @Test func `loopback and multicast are a use of the network`() throws {
            let loopback = """
                import socket
                a = socket.create_server(("::1", 0), family=socket.AF_INET6)
                socket.create_connection(a.getsockname()[:2])
                """
            let multicast = """
                import socket
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                s.sendto(b"x", ("ff02::fb", 5353, 0, socket.if_nametoindex("eth0")))
                """
            for program in [loopback, multicast] { #expect(try rules(["python3", "-c", program]).isEmpty) }
        }

        @Test func `a case that sends nothing is red, and a test may say that it needs no network`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: nothing, command: ["true"] }
                  - { name: version, command: ["true"], offline: true }
                  - { name: fetch, command: [curl, -fsS, "http://shop.test/"] }
                """)
            let output = try folder.suite()
            #expect(
                output.outcomes == ["nothing@nat64": "FAIL", "version@nat64": "PASS", "fetch@nat64": "PASS"],
                output.told)
            #expect(output.status == 1 && output.standardError.contains("offline: true"))
            #expect(!output.standardError.contains("new IPv4 dependencies"))
        }

        @Test func `a suite's test is traced where it says so`() throws {
            let (name, literal) = ("[curl, -fsS, \"http://shop.test/\"]", "[curl, -fsS, \"http://198.51.100.10/\"]")
            let folder = try SuiteFolder(
                """
                  - { name: usual, command: \(name) }
                  - { name: traced, command: \(name), trace: always }
                  - { name: failing, command: \(literal) }
                  - { name: never, command: \(literal), trace: never }
                """)
            let output = try folder.suite("--results", "r.ndjson")
            #expect(
                output.outcomes
                    == ["usual@nat64": "PASS", "traced@nat64": "PASS", "failing@nat64": "FAIL", "never@nat64": "FAIL"],
                output.told)
            let lines = try folder.read("r.ndjson").split(separator: "\n")
            for (test, isTraced) in [("traced", true), ("usual", false), ("failing", true), ("never", false)] {
                let line = try #require(lines.last { $0.contains("\"id\":\"\(test)@nat64\"") })
                // Only a traced run has its processes in the chart.
                #expect(line.contains("\"kind\":\"process\"") == isTraced, "\(test)")
            }
        }
    }
}
