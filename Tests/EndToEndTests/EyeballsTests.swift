// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ipv6check eyeballs`: measured on the link.
    @Suite struct Eyeballs {
        private func marks(_ command: String..., status: Int32) throws -> [String: [String: Any]] {
            let file = Binaries.scratch.appending(path: "marks-\(UUID().uuidString.prefix(8)).json")
            let output = try run([Binaries.ipv6check, "eyeballs", "--json", file.path, "--"] + command, seconds: 170)
            #expect(output.status == status, Comment(rawValue: output.standardError))
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let steps = try #require(document["steps"] as? [[String: Any]])
            #expect(steps.count == 7)
            return Dictionary(uniqueKeysWithValues: steps.map { ($0["step"] as? String ?? "", $0) })
        }

        private func client(_ source: String, _ name: String) throws -> String {
            let file = Binaries.scratch.appending(path: name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            return file.path
        }

        /// Its documentation has 200 ms (--happy-eyeballs-timeout-ms); a busy machine makes that longer and never shorter.
        @Test func `curl has the delay that it documents`() throws {
            let marks = try marks("curl", "-fsS", "-m", "30", "http://{host}/", status: 0)
            let delay = try #require(marks["ipv6-silent"]?["seconds"] as? Double)
            #expect(delay > 0.19 && delay < 0.4)
            #expect(marks["ipv6-silent"]?["grade"] as? String == "as RFC 8305")
            #expect(marks["both"]?["measured"] as? String == "IPv6 alone")
        }

        @Test func `one family alone fails, all at once departs`() throws {
            let one = try client(
                """
                import socket, sys
                entry = socket.getaddrinfo(sys.argv[1], 80, socket.AF_INET6, socket.SOCK_STREAM)[0]
                s = socket.socket(entry[0]); s.settimeout(3); s.connect(entry[4])
                """, "one-family.py")
            let single = try marks("python3", one, "{host}", status: 1)
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
            let racing = try marks("python3", race, "{host}", status: 0)
            #expect(racing["both"]?["grade"] as? String == "departs")
            #expect(racing["ipv6-silent"]?["grade"] as? String == "departs")
            let order = racing["many-silent"]?["measured"] as? String
            #expect(order?.hasPrefix("6 6 6 4") == true)
        }

        @Test func `mistakes are usage errors`() throws {
            let words = [["--", "curl", "http://shop.test/"], [], ["--json", "/nosuch/f", "--", "curl", "{host}"]]
            for words in words {
                #expect(try run([Binaries.ipv6check, "eyeballs"] + words).status == 2, "\(words)")
            }
        }
    }
}
