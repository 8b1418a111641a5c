// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The world's resolvers other than the network's, with third-party clients.
    @Suite struct PublicResolverTests {
        private static let world = Binaries.root.appending(path: "fixtures/clients/world.yaml").path
        private static let resolver = "2e00:2:0:cafe::53"

        private func check(_ arguments: String..., seconds: Int = 60) throws -> Output {
            try run([Binaries.ipv6check, "--world", Self.world] + arguments, seconds: seconds)
        }

        private func check(python program: String) throws -> Output {
            try check("--once", "/usr/bin/python3", "-c", program)
        }

        // MARK: DNS over HTTPS

        @Test func `curl that asks by HTTPS gets what the world has, and no more`() throws {
            let curl = ["curl", "-sS", "--http1.1", "--max-time", "5", "--doh-url", "https://dns.test/dns-query"]
            let both = try run([Binaries.ipv6check, "--world", Self.world] + curl + ["https://dns.test/status/200"])
            expectPass(both)
            #expect(both.text == "200\n")
            #expect(both.standardError.contains("dns.test AAAA → 2e00:2:0:cafe::53  from"))
            let only = try run([Binaries.ipv6check, "--world", Self.world] + curl + ["http://api.test/hello"])
            #expect(only.status == 1 && only.standardError.contains("V6C-035"), Comment(rawValue: only.standardError))
            #expect(only.standardError.contains("gave it, which it had asked for api.test by DNS over HTTPS."))
        }

        @Test func `the report has what was asked, for people and for programs`() throws {
            let json = Binaries.scratch.appending(path: "resolver.json")
            let program = """
                import http.client, sys
                for query in ("AAABAAABAAAAAAAABGVjaG8EdGVzdAAAAQAB", "AAABAAABAAAAAAAABGVjaG8EdGVzdAAAHAAB"):
                    link = http.client.HTTPSConnection("dns.test", timeout=5)
                    link.request("GET", "/dns-query?dns=" + query)
                    answer = link.getresponse()
                    print(answer.status, answer.headers["content-type"], answer.headers["cache-control"])
                """
            let output = try check("--json", json.path, "/usr/bin/python3", "-c", program)
            expectPass(output)
            #expect(
                output.text == """
                    200 application/dns-message max-age=300
                    200 application/dns-message max-age=300

                    """)
            #expect(
                output.standardError.contains(
                    """
                      own dns     echo.test A → 198.51.100.7  from [2e00:2:0:cafe::53]:443 by DNS over HTTPS
                                  echo.test AAAA → no such record  from [2e00:2:0:cafe::53]:443 by DNS over HTTPS

                    """), Comment(rawValue: output.standardError))
            let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
            #expect(report.runs[0].servedQueries.map(\.carrier) == ["doh", "doh"])
            #expect(report.runs[0].servedQueries.map(\.type) == ["A", "AAAA"])
            #expect(report.runs[0].servedQueries.map(\.addresses) == [["198.51.100.7"], []])
        }

        private struct Report: Decodable {
            struct Run: Decodable { var servedQueries: [Query] }
            struct Query: Decodable {
                var carrier: String
                var type: String
                var addresses: [String]
            }
            var runs: [Run]
        }

        // MARK: DNS over TLS

        @Test func `kdig asks by TLS, and believes the certificate`() throws {
            let output = try check(
                "--once", "kdig", "@\(Self.resolver)", "+tls-ca", "+tls-hostname=dns.test", "+keepopen", "+short",
                "+tls", "echo.test", "A", "+tls", "both.test", "AAAA", "+tls", "nobody.test", "A")
            expectPass(output)
            #expect(output.text == "198.51.100.7\n2e00:2:0:cafe::36\n")
            let deceived = try check(
                "--once", "kdig", "@\(Self.resolver)", "+tls", "+tls-ca", "+tls-hostname=other.test", "echo.test", "A")
            #expect(!deceived.text.contains("198.51.100.7"), Comment(rawValue: deceived.text))
        }

        @Test func `dnspython asks by TLS`() throws {
            let output = try check(
                python: """
                    import dns.message, dns.query, dns.rcode
                    for name, kind in ("echo.test", "A"), ("echo.test", "AAAA"), ("nobody.test", "A"):
                        query = dns.message.make_query(name, kind, use_edns=0, payload=4096, pad=128)
                        reply = dns.query.tls(query, "\(Self.resolver)", timeout=5, server_hostname="dns.test")
                        print(dns.rcode.to_text(reply.rcode()), *(record for answer in reply.answer for record in answer))
                    """)
            expectPass(output)
            #expect(output.text == "NOERROR 198.51.100.7\nNOERROR\nNXDOMAIN\n")
        }

        @Test(arguments: [853, 443]) func `a thousand connections are served at a time`(port: Int) throws {
            let program = """
                import asyncio, base64, resource, ssl, struct
                hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
                resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
                query = struct.pack("!6H", 0, 0x100, 1, 0, 0, 0) + b"\\4echo\\4test\\0" + struct.pack("!2H", 1, 1)
                get = b"GET /dns-query?dns=%s HTTP/1.1\\r\\nHost: dns.test\\r\\n\\r\\n" % base64.urlsafe_b64encode(query).rstrip(b"=")
                context, count, served, all_served = ssl.create_default_context(), 1000, [], asyncio.Event()

                async def ask():
                    reader, writer = await asyncio.open_connection(
                        "\(Self.resolver)", \(port), ssl=context, server_hostname="dns.test")
                    writer.write(len(query).to_bytes(2, "big") + query if \(port) == 853 else get)
                    answer = b""
                    while not answer.endswith(bytes([198, 51, 100, 7])):
                        answer += await reader.read(1)
                    served.append(1)
                    if len(served) == count: all_served.set()
                    await all_served.wait()
                    writer.close()

                async def main(): await asyncio.gather(*(ask() for _ in range(count)))
                asyncio.run(asyncio.wait_for(main(), 60))
                print(len(served))
                """
            let output = try check(python: program)
            expectPass(output)
            #expect(output.text == "1000\n")
            #expect(output.standardError.contains("× 1000"), Comment(rawValue: output.standardError))
        }

        // MARK: A DNS that lies

        @Test func `who asks HTTPDNS reaches the host of which the network's DNS lies`() throws {
            let lie = ["--dns-fault", "echo.test answer A 198.51.100.65", "--getaddrinfo", "apple"]
            let script = Binaries.root.appending(path: "fixtures/clients/mobile/httpdns.py").path
            let led = try run(
                [Binaries.ipv6check, "--once", "--world", Self.world] + lie + ["nc", "-w", "3", "echo.test", "7"],
                input: Data("hello\n".utf8))
            #expect(led.status != 0 && led.text.isEmpty, Comment(rawValue: led.standardError))
            let output = try run(
                [Binaries.ipv6check, "--once", "--world", Self.world] + lie
                    + ["python3", script, "198.51.100.60", "echo.test", "7", "literal"])
            expectPass(output)
            #expect(output.text == "hello\n")
            #expect(output.standardError.contains("echo.test A → 198.51.100.7  from 198.51.100.60:80 by HTTPDNS"))
        }

        @Test func `a daemon that reads its world anew tells what is in it`() throws {
            func world(_ address: String) -> Data {
                Data(
                    """
                    version: 1
                    hosts: { a.test: { addresses: [198.51.100.1], services: [http: { httpdns: true }] } }
                    records: [b.test 60 A \(address)]

                    """.utf8)
            }
            let file = Binaries.scratch.appending(path: "resolving-world.yaml")
            try world("198.51.100.2").write(to: file)
            let daemon = try RunningDaemon("world: \(file.path)")
            let ask = ["curl", "-fsS", "http://a.test/d?dn=b.test"]
            #expect(try daemon.check(ask[0], ask[1], ask[2]).text == "198.51.100.2")
            try world("198.51.100.3").write(to: file)
            daemon.send(SIGHUP)
            #expect(daemon.waitForLog("configuration reloaded"), Comment(rawValue: daemon.log))
            #expect(try daemon.check(ask[0], ask[1], ask[2]).text == "198.51.100.3")
        }
    }
}
