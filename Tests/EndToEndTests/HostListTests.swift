// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `--hosts`: every host that a client named or connected to, and how.
    @Suite struct HostListTests {
        private func client(_ source: String, _ name: String) throws -> String {
            let file = Binaries.scratch.appending(path: name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            return file.path
        }

        private let python = """
            import socket, urllib.request
            urllib.request.urlopen("http://shop.test/").read()
            urllib.request.urlopen("http://six.test/").read()
            socket.create_connection(("203.0.113.200", 80))
            """

        @Test func `each host has its way and its line, of a name, an IPv6 host and a literal`() throws {
            let path = try client(python, "hosts.py")
            let output = try ipv6check("--quiet", "--trace", "always", "--hosts", "-", "--", "python3", path)
            #expect(output.status == 1 || output.status == 3)
            let rows = output.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            func row(_ host: String) -> String { rows.first { $0.first == host }?.joined(separator: " ") ?? "" }
            #expect(row("shop.test").hasPrefix("shop.test NAT64 tcp 80 ") && row("shop.test").hasSuffix("hosts.py:2)"))
            #expect(row("six.test").hasPrefix("six.test IPv6 tcp 80 ") && row("six.test").hasSuffix("hosts.py:3)"))
            #expect(row("203.0.113.200").contains("not reached") && row("203.0.113.200").hasSuffix("hosts.py:4)"))
        }

        @Test func `a shell script and a Node program are told of, too, and localhost is no host`() throws {
            let shell = try ipv6check(
                "--quiet", "--hosts", "-", "--", "sh", "-c",
                "curl -s http://127.0.0.1:1/; curl -fsS -o /dev/null http://six.test/; dig +short AAAA shop.test >/dev/null"
            )
            #expect(shell.text.hasPrefix("2 hosts of sh -c "), Comment(rawValue: shell.text))
            #expect(shell.text.contains("on nat64, of which 0 need IPv4\n"))
            let node = try ipv6check(
                "--quiet", "--hosts", "-", "--", "node", "-e", "fetch('http://shop.test/').then(r => r.text())")
            #expect(node.text.contains("\nshop.test  NAT64       tcp 80 "), Comment(rawValue: node.text))
        }

        @Test func `a file that ends in json is CycloneDX, and one that cannot be written is said before the run`()
            throws
        {
            let file = Binaries.scratch.appending(path: "hosts.cdx.json")
            expectPass(try ipv6check("--hosts", file.path, "--", "curl", "-fsS", "http://shop.test/"))
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            #expect(document["bomFormat"] as? String == "CycloneDX" && document["specVersion"] as? String == "1.6")
            let services = try #require(document["services"] as? [[String: Any]])
            #expect(services.map { $0["name"] as? String } == ["shop.test"])
            #expect(services.first?["endpoints"] as? [String] == ["tcp://shop.test:80"])
            let ran = Binaries.scratch.appending(path: "ran").path
            let failed = try ipv6check("--hosts", "/nosuch/hosts.txt", "--", "touch", ran)
            #expect(failed.status == 2 && failed.standardError.contains("--hosts /nosuch/hosts.txt"))
            #expect(!FileManager.default.fileExists(atPath: ran))
            let both = try ipv6check("--hosts", "-", "--json", "-", "--", "true")
            #expect(both.status == 2 && both.standardError.contains("cannot both be standard output"))
        }
    }
}
