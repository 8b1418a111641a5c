// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Proxying

@Suite("Answers that a proxy forwards (RFC 9110 §7.6.3)") struct ForwardedAnswerTests {
    private func forwarded(_ text: String, inPiecesOf size: Int) -> String {
        var answer = ForwardedAnswer()
        var all: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            all += answer.receive(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return String(decoding: all + answer.takeRest(), as: UTF8.self)
    }

    private static let via = "Via: 1.1 ipv6check\r\n"

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nHTTP/1.1 200\n", "HTTP/1.1 200 OK\r\n\(via)A: b\r\n\r\nHTTP/1.1 200\n"),
            ("HTTP/1.0 404\n\nbody", "HTTP/1.0 404\n\(via)\nbody"),
            (
                "HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 103 Early\r\n\(via)Link: a\r\n\r\nHTTP/1.1 100 Continue\r\n\(via)\r\nHTTP/1.1 200 OK\r\n\(via)\r\n"
            ),
            ("HTTP/1.1 101 Other\r\n\r\nHTTP/1.1 200\n", "HTTP/1.1 101 Other\r\n\(via)\r\nHTTP/1.1 200\n"),
            ("HTTP/2 200\n", "HTTP/2 200\n"), ("hello\nHTTP/1.1 200\n", "hello\nHTTP/1.1 200\n"),
            ("HTTP/1.1 2", "HTTP/1.1 2"),
            ("", ""), ("HTTP/1.1 abc\n", "HTTP/1.1 abc\n"),
        ])
    func `the proxy is named in each head`(answer: String, expected: String) {
        for size in 1...max(1, answer.utf8.count) {
            #expect(forwarded(answer, inPiecesOf: size) == expected, "in pieces of \(size)")
        }
    }

    @Test func `what never ends a line is not kept`() {
        var answer = ForwardedAnswer()
        var passed = 0
        for _ in 0..<20 { passed += answer.receive([UInt8](repeating: 65, count: 1000)).count }
        #expect(answer.isThrough && passed == 20_000)
    }
}
