// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@testable import Proxying

@Suite("Requests to a proxy of HTTP (RFC 9110, RFC 9112)") struct RequestHeadTests {
    private func last(_ text: String, singly: Bool = false) -> ProxyHandshake.Step {
        SOCKSTests.end(Array(text.utf8), singly: singly).last
    }

    /// The status of what a request is refused by.
    private func status(_ text: String) -> Int? {
        guard case .refuse(let answer, _) = last(text) else { return nil }
        return Int(String(decoding: answer, as: UTF8.self).dropFirst("HTTP/1.1 ".count).prefix(3))
    }

    private func request(_ text: String) throws -> ProxyRequest {
        guard case .request(let request) = last(text) else { throw Refused() }
        return request
    }

    private struct Refused: Error {}

    // MARK: CONNECT

    @Test(arguments: [
        ("shop.test:443", "shop.test"), ("[2e00:2:0:cafe::6]:443", "2e00:2:0:cafe::6"),
        ("198.51.100.10:443", "198.51.100.10"),
    ])
    func `CONNECT has a host and a port`(target: String, host: String) {
        let text = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\nUser-Agent: curl\r\n\r\n"
        let expected = ProxyHandshake.Step.request(ProxyRequest(ProxiedRequest(.connect, host: host, port: 443)))
        #expect(last(text) == expected)
        #expect(last(text, singly: true) == expected)
        #expect(SOCKSTests.end(Array((text + "\u{16}more").utf8)).rest == Array("\u{16}more".utf8))
    }

    @Test(arguments: [
        ("2001:db8::1:443", true), ("shop.test:0", false), ("2001:db8::1:", false), ("[2001:db8::1]:0", false),
    ])
    func `an IPv6 address without brackets is told`(target: String, isTold: Bool) {
        let problem = Result { () throws(HeadProblem) in
            try RequestHead([Array("CONNECT \(target) HTTP/1.0".utf8)[...]]).proxyRequest()
        }
        let wanted = ProxiedRequest(.connect, host: "2001:db8::1", port: 443)
        #expect(problem == .failure(isTold ? .unbracketed(wanted) : .malformed))
    }

    @Test(arguments: [
        "shop.test", "shop.test:", "shop.test:0", "shop.test:65536", ":443", "user@shop.test:443", "[::1:443",
        "2001:db8::1:443", "a/b:443", "shop.test:+4",
    ])
    func `CONNECT without a valid host and port is refused`(target: String) {
        #expect(status("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
    }

    @Test func `a head that is cut anywhere is waited for`() {
        let text = Array("\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n".utf8)
        for length in 0..<text.count { #expect(SOCKSTests.end(Array(text.prefix(length))).last == .more) }
        #expect(
            last("CONNECT a:1 HTTP/1.0\n\n") == .request(ProxyRequest(ProxiedRequest(.connect, host: "a", port: 1))))
    }

    @Test func `the answer to CONNECT has no body, and no lengths`() {
        let request = ProxyRequest(ProxiedRequest(.connect, host: "a", port: 1))
        #expect(
            String(decoding: request.answer(.connected), as: UTF8.self) == "HTTP/1.1 200 Connection established\r\n\r\n"
        )
        let refused = String(decoding: request.answer(.refused), as: UTF8.self)
        #expect(
            refused.hasPrefix("HTTP/1.1 502 ")
                && refused.contains("\r\nProxy-Status: ipv6check; error=connection_refused\r\n"))
        #expect(String(decoding: request.answer(.timedOut), as: UTF8.self).hasPrefix("HTTP/1.1 504 "))
        #expect(String(decoding: request.answer(.noRoom), as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
    }

    // MARK: URLs

    @Test func `a request for a URL goes to its host, without what is between the client and the proxy`() throws {
        let request = try request(
            """
            POST http://shop.test:8080/list?a=http://b HTTP/1.1\r
            host: other.test\r
            Proxy-Connection: Keep-Alive\r
            Proxy-Authorization: Basic YTpi\r
            Connection: keep-alive, X-Mine, Transfer-Encoding\r
            X-Mine: 1\r
            X-Yours:  ü \r
            Transfer-Encoding: chunked\r
            \r

            """)
        #expect(request.wanted == ProxiedRequest(.request, host: "shop.test", port: 8080))
        #expect(
            String(decoding: request.head, as: UTF8.self) == """
                POST /list?a=http://b HTTP/1.1\r
                Host: shop.test:8080\r
                X-Yours:  ü \r
                Transfer-Encoding: chunked\r
                Via: 1.1 ipv6check\r
                Connection: close\r
                \r

                """)
        #expect(request.answer(.connected) == [])
    }

    @Test(
        arguments: [
            ("GET http://a HTTP/1.1", "GET / HTTP/1.1", 80), ("GET HTTP://a:/?q HTTP/1.1", "GET /?q HTTP/1.1", 80),
            ("OPTIONS http://a HTTP/1.1", "OPTIONS * HTTP/1.1", 80),
            ("GET http://a:81/b HTTP/1.0", "GET /b HTTP/1.0", 81),
        ] as [(String, String, UInt16)])
    func `the host is asked for a path`(line: String, forwarded: String, port: UInt16) throws {
        let request = try request(line + "\r\nHost: b\r\n\r\n")
        #expect(String(decoding: request.head, as: UTF8.self).hasPrefix(forwarded + "\r\n"))
        #expect(request.wanted.port == port)
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a", 400), ("GET http:///b HTTP/1.1\r\nHost: a", 400),
            ("GET  http://a/ HTTP/1.1\r\nHost: a", 400),
            ("GET http://u:p@a/ HTTP/1.1\r\nHost: a", 400), ("GET http://a/#b HTTP/1.1\r\nHost: a", 400),
            ("GET http://a/ HTTP/1.1", 400), ("GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: a", 400),
            ("GET http://a/ HTTP/1.1\r\nHost : a", 400), ("GET http://a/ HTTP/1.1\r\nHost: a\r\n b", 400),
            ("GET http://a/ HTTP/1.1\r\nHost: a\rb: c", 400), ("GET http://a/ HTTP/1.1\r\nHost: a\r\nno colon", 400),
            ("GET http://a/", 400), ("\u{16}\u{3}\u{1}", 400), ("GET https://a/ HTTP/1.1\r\nHost: a", 501),
            ("GET ftp://a/ HTTP/1.1\r\nHost: a", 501), ("PRI * HTTP/2.0", 505),
            ("GET http://a/ HTTP/3\r\nHost: a", 505),
            ("OPTIONS http://a/ HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0", 501),
            ("TRACE http://a/ HTTP/1.1\r\nHost: a\r\nMax-Forwards: -1", 400),
        ])
    func `what is no request to a proxy is refused`(head: String, expected: Int) {
        #expect(status(head + "\r\n\r\n") == expected)
    }

    @Test func `a request that may go on counts that down`() throws {
        let request = try request("TRACE http://a/ HTTP/1.1\r\nHost: a\r\nMax-Forwards: 7\r\n\r\n")
        #expect(String(decoding: request.head, as: UTF8.self).contains("\r\nMax-Forwards: 6\r\n"))
    }

    @Test func `a head has an end in every case`() {
        let start = "GET http://a/ HTTP/1.1\r\nHost: a\r\n"
        #expect(status(start + String(repeating: "a: b\r\n", count: 300)) == 431)
        #expect(status(start + "a: " + String(repeating: "b", count: ProxyHandshake.longestHead)) == 431)
        #expect(status(String(repeating: "\r\n", count: ProxyHandshake.longestHead)) == 431)
    }
}
