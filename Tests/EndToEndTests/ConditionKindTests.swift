// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Every kind of condition, as root and as an ordinary user, in the run's own simulator and in a daemon's. The client itself
    /// measures the effects, by sending numbered datagrams to an echo server; one run covers many kinds.
    @Suite struct `Each kind of condition` {
        enum Simulator: String, CaseIterable, CustomTestStringConvertible {
            case own, daemon

            var testDescription: String { rawValue }
        }

        private struct Report: Decodable {
            struct Counts: Decodable {
                var late, lost, queueFull, reordered, duplicated, corrupted: Int
            }
            struct Run: Decodable {
                struct Conditions: Decodable { var up, down: Counts }
                var conditions: Conditions?
            }
            var runs: [Run]
        }

        /// Runs clients with these options, all at the same time, and returns the output and report of each.
        private func runs(
            _ clients: [(options: [String], script: String)], as user: User, _ simulator: Simulator
        ) throws -> [(text: String, report: Report, told: Comment)] {
            let daemon =
                simulator == .daemon ? try RunningDaemon("nat64: { faults: { ipv6-black-hole: 1400 } }", as: user) : nil
            defer { daemon?.end() }
            let place =
                daemon.map { ["--simulator", "unix:\($0.folder.path)/attach.sock"] } ?? [
                    "--fault", "ipv6-black-hole=1400",
                ]
            let files = clients.map { _ in Binaries.scratch.appending(path: "kinds-\(UUID().uuidString)").path }
            let commands = zip(clients, files).map { client, file in
                let words =
                    [Binaries.ipv6check, "--once", "--json", file + ".json"] + place + client.options + [
                        "python3", "-c", client.script,
                    ]
                return words.map { "'\($0)'" }.joined(separator: " ") + " > '\(file).out' 2> '\(file).err' &"
            }
            _ = try run(["sh", "-c", (commands + ["wait"]).joined(separator: "\n")], as: user)
            return try files.map { file in
                func read(_ suffix: String) throws -> String {
                    try String(contentsOfFile: file + suffix, encoding: .utf8)
                }
                let text = try read(".out")
                let report = try JSONDecoder().decode(
                    Report.self, from: Data(contentsOf: URL(filePath: file + ".json")))
                return (text, report, Comment(rawValue: text + (try read(".err"))))
            }
        }

        /// Sends datagrams of 100 octets every 5 ms until it has seen an outage, one burst above the rate, and some datagrams too
        /// large for the black hole.
        private static let manyKinds = """
            import os, socket, struct, time
            # Its question may be one of those that are lost.
            os.environ["RES_OPTIONS"] = "timeout:1 attempts:9"
            begin = time.monotonic()
            address = socket.getaddrinfo("echo.test", 7, socket.AF_INET6, socket.SOCK_DGRAM)[0][4]
            print("dns", time.monotonic() - begin >= 0.3)
            link = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            link.connect(address)
            seen, times, sent = [], [], {}
            def take(until):
                while (left := until - time.monotonic()) > 0:
                    link.settimeout(left)
                    try: number, = struct.unpack("!I", link.recv(4096)[:4])
                    except TimeoutError: return
                    times.append(time.monotonic() - sent[number])
                    seen.append(number)
            def send(size):
                sent[len(sent)] = time.monotonic()
                link.send(struct.pack("!I", len(sent) - 1) + bytes(size - 4))
            def gap():
                # Those that may be overtaken do not count yet.
                settled = time.monotonic() - 0.3
                known = sorted(number for number in set(seen) if sent[number] < settled)
                return max((b - a for a, b in zip(known, known[1:])), default=0)
            while len(sent) < 400 or gap() < 8 and time.monotonic() - begin < 20:
                send(100)
                take(time.monotonic() + 0.005)
            take(time.monotonic() + 0.5)
            firsts = list(dict.fromkeys(seen))
            # Those that overtake are not late.
            times.sort()
            print("late", times[len(times) // 2] >= 0.04)
            print("jitter", times[len(times) * 9 // 10] - times[len(times) // 10] >= 0.005)
            print("outage", gap() >= 8)
            print("lost", 0 < len(sent) - len(firsts) < len(sent) / 2)
            print("twice", len(seen) > len(firsts))
            print("overtaken", any(b < a for a, b in zip(firsts, firsts[1:])))
            before = len(sent)
            for _ in range(400): send(1200)
            take(time.monotonic() + 1)
            came = sum(number >= before for number in set(seen))
            print("rate", 20 < came < 300)
            before = len(sent)
            for _ in range(8):
                send(1450)
                take(time.monotonic() + 0.02)
            take(time.monotonic() + 0.3)
            print("hole", not any(number >= before for number in seen))
            """

        /// Sends a datagram every 2 ms for a second and prints the percentage that came back.
        private static let share = """
            import socket, time
            link = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            link.setblocking(False)
            begin, sent, came = time.monotonic(), 0, 0
            def take():
                global came
                try:
                    while True:
                        link.recv(100)
                        came += 1
                except BlockingIOError: pass
            while time.monotonic() - begin < 1:
                link.sendto(b"hello", ("64:ff9b::c633:6407", 7))
                sent += 1
                time.sleep(0.002)
                take()
            time.sleep(1)
            take()
            print(came * 100 // sent)
            """

        private static let nearby = """
            import socket, subprocess
            print(subprocess.call(["ping", "-c", "1", "-W", "5", "2e00:2:0:1::1"], stdout=subprocess.DEVNULL))
            print(socket.getaddrinfo("shop.test", 80, socket.AF_INET6, socket.SOCK_STREAM)[0][4][0])
            link = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
            link.settimeout(1)
            try:
                link.connect(("64:ff9b::c633:640a", 80))
                print("connected")
            except OSError: print("nothing")
            """

        @Test(arguments: User.available, Simulator.allCases)
        func `is found by a client, and counted`(user: User, simulator: Simulator) throws {
            let kinds =
                "delay=30ms,jitter=10ms,loss=3%,reorder=3%,duplicate=3%,down-corrupt=3%,up-rate=5mbit,dns-delay=300ms,down=3s-3400ms"
            let runs = try runs(
                [
                    (["--conditions", kinds], Self.manyKinds), (["--conditions", "flap=50ms"], Self.share),
                    (["--conditions", "no-uplink"], Self.nearby), ([], Self.share),
                ], as: user, simulator)
            #expect(
                runs[0].text == """
                    dns True
                    late True
                    jitter True
                    outage True
                    lost True
                    twice True
                    overtaken True
                    rate True
                    hole True

                    """, runs[0].told)
            let counts = try #require(runs[0].report.runs[0].conditions)
            for (name, count) in [
                ("late", \Report.Counts.late), ("lost", \.lost), ("reordered", \.reordered),
                ("duplicated", \.duplicated), ("corrupted", \.corrupted),
            ] {
                #expect(counts.up[keyPath: count] + counts.down[keyPath: count] > 0, "\(name)")
            }
            #expect(counts.up.queueFull > 0 && counts.down.queueFull == 0)
            let shares = try [1, 3].map { try #require(Int(runs[$0].text.dropLast())) }
            #expect((10...90).contains(shares[0]) && shares[1] >= 95, "\(shares)")
            #expect(runs[2].text == "0\n64:ff9b::c633:640a\nnothing\n", runs[2].told)
        }
    }
}
