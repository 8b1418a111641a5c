// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ipv6check eyeballs`, measured on the link.
    @Suite struct Eyeballs {
        private func marks(
            _ command: String..., timeout: String = "40s", status: Int32
        ) throws -> [String: [String: Any]] {
            let file = Binaries.scratch.appending(path: "marks-\(UUID().uuidString.prefix(8)).json")
            let output = try run(
                [Binaries.ipv6check, "eyeballs", "--timeout", timeout, "--json", file.path, "--"] + command,
                seconds: 170)
            #expect(output.status == status, Comment(rawValue: output.standardError))
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let steps = try #require(document["steps"] as? [[String: Any]])
            #expect(steps.count == 12)
            return Dictionary(uniqueKeysWithValues: steps.map { ($0["step"] as? String ?? "", $0) })
        }

        private func client(_ source: String, _ name: String) throws -> String {
            let file = Binaries.scratch.appending(path: name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            return file.path
        }

        /// curl documents 200 ms (--happy-eyeballs-timeout-ms); a busy machine makes that longer, never shorter.
        @Test func `curl has the delay that it documents`() throws {
            let marks = try marks("curl", "-fsS", "-m", "30", "http://{host}/", status: 0)
            let delays = try #require(marks["ipv6-silent"]?["seconds"] as? [Double])
            #expect(delays.count == 2 && delays.allSatisfy { $0 > 0.19 && $0 < 0.4 }, "\(delays)")
            #expect(marks["ipv6-silent"]?["grade"] as? String == "as RFC 8305")
            #expect(marks["both"]?["measured"] as? String == "IPv6 alone")
            // A requirement of version 3 alone is no failure.
            #expect(marks["tls-silent"]?["measured"] as? String == "no TLS")
            #expect(marks["pref64"]?["grade"] as? String == "departs")
        }

        @Test func `one family alone fails, all at once departs`() throws {
            let one = try client(
                """
                import socket, sys
                entry = socket.getaddrinfo(sys.argv[1], 80, socket.AF_INET6, socket.SOCK_STREAM)[0]
                s = socket.socket(entry[0]); s.settimeout(3); s.connect(entry[4])
                """, "one-family.py")
            let single = try marks("python3", one, "{host}", timeout: "8s", status: 1)
            #expect(single["ipv6-silent"]?["grade"] as? String == "fails")
            #expect(single["ipv6-refused"]?["measured"] as? String == "IPv4 was not tried")
            let race = try client(
                """
                import selectors, socket, sys
                waiting = selectors.DefaultSelector()
                for entry in socket.getaddrinfo(sys.argv[1], 80, type=socket.SOCK_STREAM):
                    s = socket.socket(entry[0]); s.setblocking(False)
                    if s.connect_ex(entry[4]) != 101: waiting.register(s, selectors.EVENT_WRITE)
                while True:
                    for key, _ in waiting.select(10):
                        if key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0: sys.exit(0)
                        waiting.unregister(key.fileobj)
                """, "race.py")
            let racing = try marks("python3", race, "{host}", timeout: "8s", status: 0)
            #expect(racing["both"]?["grade"] as? String == "departs")
            #expect(racing["ipv6-silent"]?["grade"] as? String == "departs")
            let order = racing["many-silent"]?["measured"] as? String
            #expect(order?.hasPrefix("6 6 6 4") == true)
        }

        /// The client asks for HTTPS records, tries QUIC if they announce it, moves on from a silent handshake, and synthesises
        /// addresses under the prefix of a NAT64.
        @Test func `a client of version 3 has its marks`() throws {
            let client = try client(
                """
                import select, socket, ssl, struct, sys, time
                server = [line.split()[1] for line in open("/etc/resolv.conf") if line.startswith("nameserver")][0]
                A, AAAA, HTTPS = 1, 28, 65
                def ask(name, types, patience):
                    s = socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM)
                    labels = b"".join(bytes([len(l)]) + l.encode() for l in name.split(".")) + b"\\0"
                    for t in types: s.sendto(struct.pack(">6H", t, 256, 1, 0, 0, 0) + labels + struct.pack(">2H", t, 1), (server, 53))
                    answers, end = {}, time.monotonic() + 2
                    while len(answers) < len(types) and select.select([s], [], [], max(0, end - time.monotonic()))[0]:
                        data = s.recv(1500); (kind, _, _, count) = struct.unpack(">4H", data[:8]); at = 12 + len(labels) + 4
                        answers[kind] = []
                        for _ in range(count):
                            (t, _, _, size) = struct.unpack(">HHIH", data[at + 2:at + 12])
                            if t == kind: answers[kind].append(data[at + 12:at + 12 + size])
                            at += 12 + size
                        if any(answers.values()): end = min(end, time.monotonic() + patience)
                    return answers
                found = ask(sys.argv[1], [HTTPS, AAAA, A], 0.05)
                addresses = [(socket.AF_INET6, socket.inet_ntop(socket.AF_INET6, a)) for a in found.get(AAAA, [])]
                fours = found.get(A, [])
                try:
                    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9))
                    addresses[1:1] = [(socket.AF_INET, socket.inet_ntoa(a)) for a in fours]
                except OSError:
                    prefix = ask("ipv4only.arpa", [AAAA], 0)[AAAA][0][:12]
                    addresses += [(socket.AF_INET6, socket.inet_ntop(socket.AF_INET6, prefix + a)) for a in fours]
                context = ssl._create_unverified_context()
                quic = [(f, a, True) for f, a in addresses[:1] if any(b"h3" in r for r in found.get(HTTPS, []))]
                for family, address, isQUIC in quic + [(f, a, False) for f, a in addresses]:
                    s = socket.socket(family, socket.SOCK_DGRAM if isQUIC else socket.SOCK_STREAM); s.settimeout(0.25)
                    try:
                        s.connect((address, 443))
                        if isQUIC:
                            s.send(bytes(1200)); s.recv(1200)
                        s.settimeout(1)
                        t = context.wrap_socket(s, server_hostname=sys.argv[1])
                        t.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                        sys.exit(b" 200 " not in t.recv(64))
                    except OSError: pass
                sys.exit("nothing answers")
                """, "version3.py")
            let marks = try marks("python3", client, "{host}", status: 0)
            for step in ["https-late", "tls-silent", "quic-silent", "pref64"] {
                #expect(marks[step]?["grade"] as? String == "as version 3", "\(marks[step] ?? [:])")
            }
            for step in [
                "both", "ipv6-silent", "ipv6-refused", "aaaa-late", "a-late", "no-aaaa", "no-a", "many-silent",
            ] {
                #expect(marks[step]?["grade"] as? String == "as RFC 8305", "\(marks[step] ?? [:])")
            }
        }

        @Test func `mistakes are usage errors`() throws {
            let words = [["--", "curl", "http://shop.test/"], [], ["--json", "/nosuch/f", "--", "curl", "{host}"]]
            for words in words {
                #expect(try run([Binaries.ipv6check, "eyeballs"] + words).status == 2, "\(words)")
            }
        }
    }
}
