// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `nat64sim translate` on interfaces and descriptors, as used by programs that embed it.
extension EndToEnd {
    @Suite(.serialized) struct `nat64sim translate in real time` {
        private let folder = Binaries.scratch.appending(path: UUID().uuidString)

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        /// Three network namespaces: `six`, an IPv6-only host; `four`, an IPv4-only one; and between them a router with our translator,
        /// on a TUN made by the administrator, as for TAYGA. All are removed when the script ends.
        private static let network = """
            set -eu
            mount -t tmpfs none /run
            ip link set lo up
            for host in six four; do ip netns add $host; ip -n $host link set lo up; done
            sysctl -qw net.ipv6.conf.all.forwarding=1 net.ipv4.ip_forward=1
            ip link add to6 type veth peer name eth0 netns six
            ip link add to4 type veth peer name eth0 netns four
            ip address add 2001:db8:1::1/64 dev to6 nodad
            ip address add 198.51.100.1/24 dev to4
            ip link set to6 up
            ip link set to4 up
            ip -n six address add 2001:db8:1::7/64 dev eth0 nodad
            ip -n six address add 2001:db8:1::8/64 dev eth0 nodad
            ip -n four address add 198.51.100.2/24 dev eth0
            for host in six four; do ip -n $host link set eth0 up; done
            ip -n six route add default via 2001:db8:1::1
            ip -n four route add default via 198.51.100.1
            ip tuntap add nat64 mode tun
            ip link set nat64 up
            ip route add 192.0.2.0/24 dev nat64
            ip route add 2001:db8:64::/96 dev nat64
            ip route add 2001:db8:ffff::/64 dev nat64

            """

        private static let server = """
            import socket, threading
            u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(("198.51.100.2", 7))
            t = socket.socket(); t.bind(("198.51.100.2", 7)); t.listen()
            def udp():
                while True:
                    data, peer = u.recvfrom(2048)
                    u.sendto(data, peer)
            threading.Thread(target=udp, daemon=True).start()
            while True:
                connection, _ = t.accept()
                total = 0
                while data := connection.recv(65536): total += len(data)
                connection.sendall(str(total).encode())
                connection.close()
            """

        /// Sends 3,000 datagrams in three seconds and meanwhile as much TCP data as possible, and prints the results.
        private static let client = """
            import json, socket, threading, time
            far = ("2001:db8:64::198.51.100.2", 7)
            u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); u.bind(("2001:db8:1::7", 0)); u.settimeout(1)
            came = set()
            def listen():
                try:
                    while len(came) < 3000: came.add(u.recv(2048)[:4])
                except TimeoutError: pass
            def bulk():
                t = socket.socket(socket.AF_INET6); t.bind(("2001:db8:1::7", 0)); t.connect(far)
                sent, until = 0, time.monotonic() + 3
                while time.monotonic() < until: t.sendall(bytes(65536)); sent += 65536
                t.shutdown(socket.SHUT_WR)
                result["tcp"] = [sent, int(t.recv(100))]
            result = {}
            threads = [threading.Thread(target=f) for f in (listen, bulk)]
            for t in threads: t.start()
            start = time.monotonic()
            for n in range(3000):
                u.sendto(n.to_bytes(4, "big") + bytes(60), far)
                time.sleep(max(0, start + n / 1000 - time.monotonic()))
            for t in threads: t.join()
            result["udp"] = len(came)
            print(json.dumps(result))
            """

        private func write(_ text: String, to name: String) throws -> String {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file.path
        }

        private static func configuration(_ last: String) -> String {
            """
            version: 1
            nat64:
              mode: stateless
              prefixes: 2001:db8:64::/96
              errors: { ipv6-source: "2001:db8:ffff::1", ipv4-source: 192.0.2.1 }
              explicit-address-mappings:
                - { ipv4: 192.0.2.7, ipv6: "2001:db8:1::7" }
            \(last)
            """
        }

        private struct Result: Decodable {
            var tcp: [Int]
            var udp: Int
        }

        @Test(needsRoot, needsTUN)
        func `a TUN between two namespaces carries real traffic, and new mappings under load`() throws {
            let first = try write(Self.configuration(""), to: "first.yaml")
            let second = try write(
                Self.configuration("    - { ipv4: 192.0.2.8, ipv6: \"2001:db8:1::8\" }"), to: "second.yaml")
            let script = try write(
                Self.network + """
                    cd \(folder.path)
                    cp \(first) nat64.yaml
                    \(Binaries.nat64sim) translate --config nat64.yaml --json report.json --tun nat64 2> log &
                    translator=$!
                    ip netns exec four python3 \(try write(Self.server, to: "server.py")) &
                    for try in $(seq 100); do
                        ip netns exec six ping -qc 1 -W 1 2001:db8:64::198.51.100.2 > /dev/null && break
                        sleep 0.05
                    done
                    for try in $(seq 100); do ip -n four -j netns > /dev/null; ip netns exec four ss -ltn | grep -q :7 && break; sleep 0.05; done
                    ip netns exec six ping -qc 1 -W 2 2001:db8:ffff::1 > /dev/null && echo own6
                    ip netns exec four ping -qc 1 -W 2 192.0.2.1 > /dev/null && echo own4
                    ip netns exec four ping -qc 1 -W 1 192.0.2.8 > /dev/null || echo unmapped
                    ip netns exec six python3 \(try write(Self.client, to: "client.py")) &
                    client=$!
                    sleep 0.5
                    reloads=0
                    reload() {
                        reloads=$((reloads + 1)); kill -HUP $translator; sleep 0.2
                        for try in $(seq 100); do [ $(grep -cE 'read again|stays as it is' log) -ge $reloads ] && break; sleep 0.05; done
                    }
                    for turn in 1 2 3 4; do
                        cp \(second) nat64.yaml; reload
                        cp \(first) nat64.yaml; reload
                    done
                    echo "nat64: {" > nat64.yaml; reload
                    cp \(second) nat64.yaml; reload
                    kill -USR1 $translator
                    wait $client
                    ip netns exec four ping -qc 1 -W 2 192.0.2.8 > /dev/null && echo mapped
                    kill -TERM $translator
                    wait $translator && echo ended
                    """, to: "script.sh")
            let output = try run(
                ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", script],
                as: .root)
            let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
            let note = Comment(rawValue: output.text + output.standardError + log)
            let lines = output.text.split(separator: "\n").map(String.init)
            #expect(output.status == 0, note)
            #expect(lines.filter { !$0.hasPrefix("{") } == ["own6", "own4", "unmapped", "mapped", "ended"], note)
            let json = try #require(lines.first { $0.hasPrefix("{") }, note)
            let result = try JSONDecoder().decode(Result.self, from: Data(json.utf8))
            #expect(result.tcp[0] == result.tcp[1] && result.tcp[0] > 1_000_000, note)
            #expect(result.udp >= 2_970, note)
            #expect(log.components(separatedBy: "nat64.yaml: read again").count - 1 == 9, note)
            #expect(log.contains("The configuration stays as it is."), note)
            // The counters logged for SIGUSR1, and those at the end.
            #expect(log.components(separatedBy: "received-from-ipv6").count - 1 == 2, note)
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "report.json").path))
        }

        @Test(needsRoot, needsTUN)
        func `a TUN that nobody may have, or that another program has, is named with the reason`() throws {
            let script = try write(
                """
                ip tuntap add nat64 mode tun
                \(Binaries.nat64sim) translate --tun nat64 &
                first=$!
                for try in $(seq 100); do ip -d link show nat64 | grep -q LOWER_UP && break; ip link set nat64 up; sleep 0.05; done
                sleep 0.3
                \(Binaries.nat64sim) translate --tun nat64; echo $?
                \(Binaries.nat64sim) translate --tun lo; echo $?
                kill $first; wait $first
                setpriv --reuid=65534 --regid=65534 --clear-groups -- \(Binaries.nat64sim) translate --tun nat65; echo $?
                """, to: "busy.sh")
            let output = try run(["unshare", "--net", "bash", script], as: .root)
            #expect(output.text == "2\n2\n2\n")
            #expect(
                output.standardError.contains("another program has this interface open"),
                Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("lo: "), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("a TUN needs CAP_NET_ADMIN"), Comment(rawValue: output.standardError))
        }

        /// The translator's parent exits after a second; the test sees the translator's end by its closed socket.
        @Test(arguments: [true, false])
        func `a translator ends with its parent where that is asked for`(isAsked: Bool) throws {
            let program = try write(
                """
                import os, socket, subprocess, sys, time
                near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                near4, far4 = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                command = [sys.argv[1], "translate", "--packet-fd6", str(far.fileno()), "--packet-fd4", str(far4.fileno())]
                child = os.fork()
                if child == 0:
                    started = subprocess.Popen(command + sys.argv[2:], pass_fds=[far.fileno(), far4.fileno()])
                    # It answers a packet of the wrong family with silence, and reads it: then it is up.
                    time.sleep(1)
                    os._exit(0)
                far.close(); far4.close()
                os.waitpid(child, 0)
                near.settimeout(1.5)
                try: print("ended" if near.recv(10) == b"" else "packet")
                except TimeoutError: print("lives")
                except ConnectionResetError: print("ended")
                """, to: "parent.py")
            let output = try run(
                ["python3", program, Binaries.nat64sim] + (isAsked ? ["--end-with-parent"] : []))
            #expect(output.text == (isAsked ? "ended\n" : "lives\n"), Comment(rawValue: output.standardError))
        }
    }
}
