// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Real programs that use names: all must work on the IPv6-only network.
    @Suite struct ClientTests {
        @Test(arguments: User.available) func `curl fetches HTTP through the NAT64`(_ user: User) throws {
            let output = try ipv6check("curl", "-fsS", "http://shop.test/", as: user)
            expectPass(output)
            #expect(output.text.contains("shop.test"))
            #expect(output.standardError.contains("64:ff9b::c633:640a → 198.51.100.10"))
        }

        @Test(arguments: User.available) func `curl trusts the test CA`(_ user: User) throws {
            expectPass(try ipv6check("curl", "-fsS", "https://shop.test/", as: user))
            expectPass(try ipv6check("curl", "-fsS", "https://www.shop.test/", as: user))
            expectPass(try ipv6check("curl", "-fsS", "https://dual.test/", as: user))
        }

        @Test func `a native IPv6 host is reached directly`() throws {
            let output = try ipv6check("curl", "-fsS", "http://six.test/ip")
            expectPass(output)
            #expect(output.text.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("2e00:2:0:1:"))
        }

        @Test func `a server behind the NAT64 sees the IPv4 address of the pool`() throws {
            let output = try ipv6check("curl", "-fsS", "http://shop.test/ip")
            expectPass(output)
            #expect(output.text.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("192.0.2."))
        }

        @Test(arguments: User.available) func `ping counts its replies`(_ user: User) throws {
            let output = try ipv6check("ping", "-c", "3", "-i", "0.2", "shop.test", as: user)
            expectPass(output)
            #expect(output.text.contains("3 packets transmitted, 3 received"))
        }

        @Test(arguments: ["+notcp", "+tcp"]) func `dig gets a synthesised address`(_ transport: String) throws {
            let output = try ipv6check("dig", transport, "+short", "AAAA", "shop.test")
            expectPass(output)
            #expect(output.text == "64:ff9b::c633:640a\n")
        }

        @Test func `Python fetches by name`() throws {
            let program = """
                import urllib.request, socket
                print(urllib.request.urlopen("http://shop.test/status/204").status)
                print(urllib.request.urlopen("https://shop.test/").status)
                print(socket.create_connection(("echo.test", 7)).family.name)
                """
            let output = try ipv6check("python3", "-c", program)
            expectPass(output)
            #expect(output.text == "204\n200\nAF_INET6\n")
        }

        @Test func `Node fetches by name`() throws {
            let program = "fetch('https://shop.test/status/201').then(r => console.log(r.status))"
            let output = try ipv6check("node", "-e", program)
            expectPass(output)
            #expect(output.text == "201\n")
        }

        @Test func `a URLSession program fetches by name`() throws {
            let source = Binaries.scratch.appending(path: "main.swift")
            let program = """
                import Foundation
                import FoundationNetworking
                let (body, response) = try await URLSession.shared.data(from: URL(string: "http://shop.test/ip")!)
                print((response as! HTTPURLResponse).statusCode, String(decoding: body, as: UTF8.self))
                """
            try Data(program.utf8).write(to: source)
            let binary = Binaries.scratch.appending(path: "urlsession").path
            let build = try run(["swiftc", "-o", binary, source.path], seconds: 300)
            try #require(build.status == 0, Comment(rawValue: build.standardError))
            let output = try ipv6check(binary)
            expectPass(output)
            #expect(output.text.hasPrefix("200 192.0.2."))
        }

        @Test(arguments: User.available) func `netcat talks UDP`(_ user: User) throws {
            let output = try ipv6check(
                "nc", "-u", "-w", "1", "echo.test", "7", as: user, input: Data("over UDP\n".utf8))
            expectPass(output)
            #expect(output.text == "over UDP\n")
        }

        @Test func `two hundred curls at once all work`() throws {
            let output = try ipv6check(
                "sh", "-c",
                "seq 200 | xargs -P 200 -I N curl -fsS -o /dev/null -w '%{http_code}\\n' http://shop.test/bytes/20000")
            expectPass(output)
            #expect(output.text.split(separator: "\n").filter { $0 == "200" }.count == 200)
        }

        @Test func `a name with two addresses works`() throws {
            let output = try ipv6check("dig", "+short", "AAAA", "two.test")
            expectPass(output)
            #expect(Set(output.text.split(separator: "\n")) == ["64:ff9b::c633:640a", "64:ff9b::c633:640b"])
            expectPass(try ipv6check("curl", "-fsS", "http://two.test/"))
        }

        @Test func `an unknown name does not exist`() throws {
            let output = try ipv6check("dig", "nosuch.example")
            expectPass(output)
            #expect(output.text.contains("status: NXDOMAIN"))
            let mail = try ipv6check("dig", "AAAA", "mail.test")
            #expect(mail.text.contains("status: NOERROR") && mail.text.contains("ANSWER: 0"))
        }
    }
}
