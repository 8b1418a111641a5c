// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct RecordTests {
        private func path(_ name: String) -> String { Binaries.scratch.appending(path: "\(UUID())-\(name)").path }

        @Test func `a recorded world lets the same client work again`() throws {
            let world = path("world.yaml")
            let recorded = try ipv6check(
                "record", "-o", world, "--", "curl", "-fsS", "http://www.shop.test/", "https://dual.test/")
            #expect(recorded.status == 0, Comment(rawValue: recorded.standardError))
            #expect(recorded.standardError.contains("2 hosts, 2 services, 1 further record"))
            let text = try String(contentsOfFile: world, encoding: .utf8)
            #expect(text.contains("'www.shop.test. CNAME shop.test.'") && text.contains("services: [https]"))
            expectPass(try ipv6check("--world", world, "curl", "-fsS", "http://www.shop.test/", "https://dual.test/"))
            // The recorded world has no other host.
            #expect(try ipv6check("--world", world, "--once", "curl", "-fsS", "http://six.test/").status == 1)
        }

        @Test func `standard output can take it, and the client's goes elsewhere`() throws {
            let recorded = try ipv6check("record", "--output", "-", "curl", "-fsS", "http://198.51.100.10/")
            #expect(recorded.status == 0)
            #expect(
                recorded.text.hasPrefix(
                    "# Recorded by ipv6check from: curl -fsS http://198.51.100.10/\nversion: 1\n"))
            #expect(recorded.text.contains("host-198-51-100-10.recorded.test:"))
        }

        @Test func `what is there is replaced only if asked`() throws {
            let world = path("kept.yaml")
            try "mine".write(toFile: world, atomically: true, encoding: .utf8)
            let refused = try ipv6check("record", "-o", world, "true")
            #expect(refused.status == 2)
            #expect(refused.standardError.contains("it is there already; add --force"))
            #expect(try String(contentsOfFile: world, encoding: .utf8) == "mine")
            #expect(try ipv6check("record", "-o", world, "--force", "true").status == 0)
            #expect(try String(contentsOfFile: world, encoding: .utf8).contains("hosts: {}"))
        }

        @Test func `a client that does not work is said, and what was seen is written`() throws {
            let world = path("failed.yaml")
            let failed = try ipv6check("record", "-o", world, "sh", "-c", "curl -fsS http://shop.test/ && exit 3")
            #expect(failed.status == 3)
            #expect(failed.standardError.contains("the client did not work (exit 3), so something may be missing"))
            #expect(try String(contentsOfFile: world, encoding: .utf8).contains("shop.test:"))
            #expect(try ipv6check("record", "-o", path("t.yaml"), "--timeout", "0.5", "sleep", "60").status == 124)
        }

        @Test func `mistakes are told before the client runs`() throws {
            #expect(try ipv6check("record", "-o", "/nowhere/x.yaml", "touch", path("ran")).status == 2)
            #expect(try ipv6check("record", "-o", path("x.yaml")).status == 4)
            #expect(try ipv6check("record", "true").status == 2)
            #expect(try ipv6check("record", "-o", "/dev/full", "--force", "true").status == 2)
        }
    }
}
