// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `nat64sim serve`, and clients that ipv6check attaches to it.
    @Suite struct DaemonTests {
        @Test(arguments: User.available)
        func `a passing and a failing client are judged as on a simulator of their own`(_ user: User) throws {
            let daemon = try RunningDaemon(as: user)
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/", as: user))
            let failing = try daemon.check("curl", "-fsS", "http://198.51.100.10/", as: user)
            #expect(failing.status == 1, Comment(rawValue: failing.standardError))
            #expect(failing.standardError.contains("V6C-001"))
            #expect(daemon.end() == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path) == ["log"])
        }

        @Test func `twenty clients at once have addresses of their own`() throws {
            let daemon = try RunningDaemon()
            let one = "\(Binaries.ipv6check) -q --simulator unix:\(daemon.folder.path)/attach.sock"
            // Each client stays until all are attached; `from:` is the address that the NAT64 gave it.
            let client =
                "touch $0.$1; while [ $(ls $0.* | wc -l) -lt 20 ]; do sleep 0.05; done; curl -fsS http://shop.test/"
            let output = try run(
                [
                    "sh", "-c",
                    "for i in $(seq 20); do \(one) sh -c '\(client)' \(daemon.folder.path)/there $i & done; wait",
                ], seconds: 90)
            let sources = output.text.split(separator: "\n").filter { $0.hasPrefix("from:") }
                .compactMap { $0.split(separator: " ").last?.split(separator: ":").first }
            #expect(sources.count == 20, Comment(rawValue: output.text + output.standardError + daemon.log))
            #expect(Set(sources).count == 20)
        }

        @Test func `clients do not reach each other`() throws {
            let daemon = try RunningDaemon()
            let address = daemon.folder.appending(path: "address").path
            let server = """
                import socket, time
                listener = socket.create_server(("::", 8080), family=socket.AF_INET6)
                probe = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                probe.connect(("2e00:2:0:1::1", 53))
                open("\(address)", "w").write(probe.getsockname()[0])
                listener.settimeout(20)
                try:
                    listener.accept()
                    print("reached")
                except TimeoutError:
                    print("left alone")
                """
            let client = """
                import socket, time
                deadline = time.monotonic() + 10
                while True:
                    try:
                        address = open("\(address)").read()
                        if address: break
                    except FileNotFoundError:
                        pass
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
                for target in [address, "64:ff9b::192.0.2.64", "64:ff9b::192.0.2.65"]:
                    try:
                        socket.create_connection((target, 8080), timeout=3)
                        print("reached", target)
                    except OSError as error:
                        print("refused", error.errno)
                """
            let file = daemon.folder.appending(path: "server.py").path
            try Data(server.replacingOccurrences(of: "settimeout(20)", with: "settimeout(8)").utf8)
                .write(to: URL(filePath: file))
            let one = "\(Binaries.ipv6check) -q --control never --simulator unix:\(daemon.folder.path)/attach.sock"
            let output = try run(
                ["sh", "-c", "\(one) python3 \(file) & \(one) python3 -c '\(client)'; wait"], seconds: 60)
            #expect(output.text.contains("left alone"), Comment(rawValue: output.text + output.standardError))
            #expect(!output.text.contains("reached"))
            // ENETUNREACH: the router reports that there is no route to the other client. A pool address may be the client's own.
            #expect(output.text.contains("refused 101"), Comment(rawValue: output.text))
            #expect(output.text.components(separatedBy: "refused").count == 4, Comment(rawValue: output.text))
        }

        @Test func `strangers are turned away`() throws {
            try #require(getuid() == 0)
            let daemon = try RunningDaemon("clients: { most: 2 }", as: .root)
            let refused = try daemon.check("true", as: .ordinary)
            #expect(refused.status == 5)
            #expect(
                refused.standardError.contains("this user may not connect"), Comment(rawValue: refused.standardError))
            daemon.end()
            let open = try RunningDaemon("clients: { everyone: true }", as: .root)
            expectPass(try open.check("curl", "-fsS", "http://shop.test/", as: .ordinary))
        }

        /// Descriptors that are not a TUN of the right kind, and invalid messages.
        @Test func `what makes no sense is refused and harms nobody`() throws {
            let daemon = try RunningDaemon()
            let program = #"""
                import array, json, os, socket, sys
                path = sys.argv[1]

                def connect():
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                    s.settimeout(10)
                    s.connect(path)
                    return s

                def hello(s):
                    s.send(json.dumps({"hello": {"version": 8, "network": "nat64", "client": "\x1b[31mtest"}}).encode())
                    return json.loads(s.recv(65536))

                def hand_over(name, *descriptors):
                    s = connect()
                    assert "place" in hello(s)
                    s.sendmsg([b'{"attach":{}}'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
                              if descriptors else [])
                    answer = s.recv(65536)
                    print(name, next(iter(json.loads(answer))) if answer else "closed")

                file = os.open("/etc/hostname" if os.path.exists("/etc/hostname") else "/etc/passwd", os.O_RDONLY)
                hand_over("file", file)
                hand_over("socket", socket.socket(socket.AF_INET, socket.SOCK_STREAM).fileno())
                hand_over("device", os.open("/dev/null", os.O_RDWR))
                hand_over("unattached", os.open("/dev/net/tun" if os.path.exists("/dev/net/tun") else "/dev/null", os.O_RDWR))
                hand_over("none")
                hand_over("two", file, file)
                for text in [b"", b"{", b"[]", b"null", b'{"attach":{}}', b"[" * 60000, b"x" * 70000,
                             b'{"hello":{"version":8,"network":"elsewhere","client":""}}']:
                    s = connect()
                    if text: s.send(text)
                    s.close()
                s = connect()
                s.send(b'{"hello":{"version":99,"network":"nat64","client":"future"}}')
                print("version", next(iter(json.loads(s.recv(65536)))))
                # Whoever says nothing holds nothing that others need.
                silent = [connect() for _ in range(40)]
                """#
            let output = try run(["python3", "-c", program, "\(daemon.folder.path)/attach.sock"])
            #expect(
                output.text == """
                    file refused
                    socket refused
                    device refused
                    unattached refused
                    none closed
                    two closed
                    version refused

                    """, Comment(rawValue: output.standardError))
            #expect(!daemon.log.contains("\u{1b}"))
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/"))
        }

        /// A client that hands over a TUN keeps a descriptor of it and may make it blocking: the daemon must still end when told to.
        @Test(needsTUN) func `a TUN that is made to wait holds nothing up`() throws {
            let daemon = try RunningDaemon()
            let program = #"""
                import array, fcntl, json, os, socket, struct, sys, time
                tun = os.open("/dev/net/tun", os.O_RDWR)
                # TUNSETIFF with IFF_TUN, IFF_NO_PI and IFF_VNET_HDR
                fcntl.ioctl(tun, 0x400454ca, struct.pack("16sH22x", b"hostile", 0x5001))
                s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                s.connect(sys.argv[1])
                s.send(b'{"hello":{"version":8,"network":"nat64","client":"hostile"}}')
                assert b"place" in s.recv(65536)
                s.sendmsg([b'{"attach":{}}'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [tun]))])
                assert b"attached" in s.recv(65536)
                fcntl.fcntl(tun, fcntl.F_SETFL, 0)
                os.system("ip link set hostile up; ping -6 -c 1 -W 1 -I hostile ff02::1 >/dev/null 2>&1")
                s.send(b'{"detach":{}}')
                s.settimeout(10)
                print(next(iter(json.loads(s.recv(65536)))))
                """#
            let output = try run(
                ["unshare", "--map-root-user", "--net", "python3", "-c", program, "\(daemon.folder.path)/attach.sock"])
            #expect(output.text == "evidence\n", Comment(rawValue: output.standardError))
            #expect(daemon.end() == 0)
        }

        @Test func `a runner that is killed gives its place back`() throws {
            let daemon = try RunningDaemon("clients: { most: 1 }")
            let killed = try run([
                "timeout", "--signal=KILL", "1", Binaries.ipv6check, "--simulator",
                "unix:\(daemon.folder.path)/attach.sock", "sleep", "60",
            ])
            #expect(killed.status == 137)
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/"))
        }

        @Test func `who comes too many waits`() throws {
            let daemon = try RunningDaemon("clients: { most: 1 }")
            let one = "\(Binaries.ipv6check) -q --simulator unix:\(daemon.folder.path)/attach.sock"
            let output = try run(
                [
                    "sh", "-c",
                    """
                    cd \(daemon.folder.path)
                    \(one) sh -c 'touch started; until grep -q waiting errors; do sleep 0.05; done' &
                    until [ -e started ]; do sleep 0.05; done
                    \(one) true 2> errors; echo $?; wait; cat errors
                    """,
                ], seconds: 60)
            #expect(output.text.hasPrefix("0\n"), Comment(rawValue: output.standardError))
            #expect(output.text.contains("all 1 slots of the simulator are in use; waiting"), output.told)
        }

        @Test func `the configuration is read again and one with mistakes changes nothing`() throws {
            let daemon = try RunningDaemon("prefix: 64:ff9b::/96")
            try daemon.write("prefix: 2001:db8:64::/96\ndns64: { faults: [two.test rcode NXDOMAIN] }")
            daemon.send(SIGHUP)
            #expect(daemon.waitForLog("configuration reloaded"))
            let other = try daemon.check("-v", "curl", "-fsS", "http://shop.test/")
            expectPass(other)
            #expect(other.standardError.contains("2001:db8:64::c633:640a"))
            #expect(try daemon.check("-q", "curl", "-fsS", "http://two.test/").status != 0)

            try daemon.write("prefix: nonsense")
            daemon.send(SIGHUP)
            #expect(daemon.waitForLog("reload failed, keeping the current configuration"))
            #expect(daemon.log.contains("nat64sim.yaml:2:9: 'nonsense' is not an IPv6 prefix"))
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/"))
        }

        @Test func `a configuration is checked without a daemon`() throws {
            let file = Binaries.scratch.appending(path: "checked.yaml")
            try Data("version: 1\nprefix: 2001:db8:64::/96\n".utf8).write(to: file)
            let good = try run([Binaries.nat64sim, "check-config", file.path])
            #expect(good.status == 0)
            #expect(good.text == "\(file.path): good (5 hosts, Pref64 2001:db8:64::/96)\n")
            try Data("version: 1\nclinets: { most: 2 }\n".utf8).write(to: file)
            let bad = try run([Binaries.nat64sim, "check-config", file.path])
            #expect(bad.status == 2)
            #expect(
                bad.standardError
                    == "nat64sim: \(file.path):2:1: unknown key \"clinets\" (did you mean \"clients\"?)\n")
        }

        @Test func `a world file is checked without a configuration around it`() throws {
            let file = Binaries.scratch.appending(path: "checked-world.yaml")
            try Data("version: 1\nhosts: { a.test: { addresses: [198.51.100.1] } }\n".utf8).write(to: file)
            let good = try run([Binaries.nat64sim, "check-config", "--world", file.path])
            #expect(good.status == 0)
            #expect(good.text == "\(file.path): good (1 host, Pref64 64:ff9b::/96)\n")
            try Data("version: 1\nhots: {}\n".utf8).write(to: file)
            let bad = try run([Binaries.nat64sim, "check-config", "--world", file.path])
            #expect(bad.status == 2)
            #expect(bad.standardError == "nat64sim: \(file.path):2:1: unknown key \"hots\" (did you mean \"hosts\"?)\n")
            #expect(try run([Binaries.nat64sim, "check-config"]).status == 2)
        }

        @Test func `the next one starts where one was killed`() throws {
            let daemon = try RunningDaemon()
            daemon.send(SIGKILL)
            daemon.waitUntilGone()
            let next = try RunningDaemon(in: daemon.folder)
            expectPass(try next.check("curl", "-fsS", "http://shop.test/"))
            let second = try run([Binaries.nat64sim, "serve", "--sockets", daemon.folder.path], seconds: 20)
            #expect(second.status == 5)
            #expect(
                second.standardError.contains("another process listens there"), Comment(rawValue: second.standardError))
        }

        @Test func `a capture is written into the runner's file`() throws {
            let daemon = try RunningDaemon()
            let path = daemon.folder.appending(path: "both.pcap").path
            expectPass(try daemon.check("--pcap", path, "curl", "-fsS", "http://shop.test/"))
            let packets = try run(["tcpdump", "-nr", path]).text
            #expect(packets.contains("> 64:ff9b::c633:640a.80: Flags [S]"))
            #expect(packets.contains("> 198.51.100.10.80: Flags [S]"))
        }

        @Test func `the control API changes what clients see`() throws {
            let daemon = try RunningDaemon()
            #expect(try daemon.control("GET", "/v1/status").contains("\"ready\""))
            let added = try daemon.control("POST", "/v1/faults", #"{"fault":"shop.test rcode NXDOMAIN"}"#)
            #expect(added.contains("\"id\" : 1"), Comment(rawValue: added))
            #expect(try daemon.check("-q", "curl", "-fsS", "http://shop.test/").status != 0)
            _ = try daemon.control("DELETE", "/v1/faults/1")
            let changed = try daemon.control("PUT", "/v1/prefix", #"{"pref64":"2001:db8:64::/96"}"#)
            #expect(changed.contains("2001:db8:64::/96"), Comment(rawValue: changed))
            let passed = try daemon.check("-v", "curl", "-fsS", "http://shop.test/")
            expectPass(passed)
            #expect(passed.standardError.contains("2001:db8:64::c633:640a"))
            #expect(
                try daemon.control("PUT", "/v1/prefix", #"{"pref64":"2e00:2:0:cafe::/64"}"#).contains(
                    "a host of the world"))
            #expect(try daemon.control("GET", "/v1/dns-log").contains("shop.test"))
            let metrics = try daemon.control("GET", "/metrics")
            #expect(metrics.contains("nat64sim_clients 0"), Comment(rawValue: metrics))
        }

        /// All processes in the namespace where the daemon was started are on the network: a container joins it that way.
        @Test func `the namespace it was started in can be a client's`() throws {
            try #require(getuid() == 0)
            let folder = Binaries.scratch.appending(path: "here")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let configuration = folder.appending(path: "nat64sim.yaml").path
            try Data("version: 1\nclients: { here: nat64 }\n".utf8).write(to: URL(filePath: configuration))
            let inside = try run([
                "unshare", "--net", "sh", "-c",
                """
                \(Binaries.nat64sim) serve --sockets \(folder.path) --config \(configuration) 2>\(folder.path)/log &
                for i in $(seq 100); do grep -q ' ready ' \(folder.path)/log && break; sleep 0.1; done
                ip -br address show nat64
                dig +short @2e00:2:0:1::1 AAAA shop.test
                curl -fsS -m 20 'http://[64:ff9b::c633:640a]/'
                ping -n -c 1 -W 3 64:ff9b::198.51.100.10 | grep -o '1 received'
                curl -sS -m 2 http://198.51.100.10/ 2>&1
                kill $!; wait
                """,
            ])
            #expect(inside.text.contains("64:ff9b::c633:640a"), Comment(rawValue: inside.text + inside.standardError))
            #expect(inside.text.contains("reached:   shop.test"))
            #expect(inside.text.contains("1 received"))
            #expect(inside.text.contains("Couldn't connect to server"))
        }
    }
}
