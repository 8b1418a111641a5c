// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Suites
import Testing
import Wire

@testable import ConfigurationText
@testable import World

@Suite("HTTP probes", .timeLimit(.minutes(2))) struct HTTPProbeTests {
    private func get(
        _ scheme: PageRequest.Scheme, _ port: UInt16, _ path: String = "/status/200",
        within time: Duration = .seconds(60)
    ) async -> ProbeAnswer.Result {
        await aside {
            HTTPProbe.get(
                PageRequest(scheme, port, path: path), at: SocketAddress(IPv4Address(127, 0, 0, 1), port: port),
                from: nil, within: time)
        }
    }

    /// A probe's result for a server that reads the request and answers with these octets, and then closes the connection if it `ends`.
    private func answer(
        _ octets: [UInt8], ends: Bool = true, within time: Duration = .seconds(60)
    ) async throws -> ProbeAnswer.Result {
        let listener = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let address = listener.localAddress
        // Neither blocks a thread of the task pool, which may have only two.
        async let served: Void = aside { Self.serve(octets, on: listener, ends: ends) }
        let result = await aside {
            HTTPProbe.get(PageRequest(.http, address.port, path: "/"), at: address, from: nil, within: time)
        }
        await served
        return result
    }

    private static func serve(_ octets: [UInt8], on listener: borrowing StreamListener, ends: Bool) {
        let deadline = MonotonicClock.now() + .seconds(60)
        guard waitForInput(listener.descriptor, until: deadline),
            case .connection(let socket, _) = listener.accept(), waitForInput(socket.descriptor, until: deadline)
        else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var space = buffer.mutableSpan
        _ = socket.read(into: &space)
        var rest = octets[...]
        while !rest.isEmpty, waitForOutput(socket.descriptor, until: deadline) {
            guard case .bytes(let count) = socket.write(Array(rest).span) else { break }
            rest = rest.dropFirst(count)
        }
        // Until the other end closes.
        if !ends { _ = waitForInput(socket.descriptor, until: deadline) }
    }

    @Test(arguments: [PageRequest.Scheme.http, .https])
    func `an answer comes by HTTP and HTTPS`(scheme: PageRequest.Scheme) async throws {
        try await withService(scheme == .https ? .https : .http) { service in
            #expect(await get(scheme, service.port) == .http(status: 200, body: "200\n"))
            #expect(await get(scheme, service.port, "/status/404") == .http(status: 404, body: "404\n"))
            #expect(await get(scheme, service.port, "/status/204") == .http(status: 204, body: ""))
            // More than a window of HTTP/2.
            guard case .http(200, let body) = await get(scheme, service.port, "/bytes/150000") else {
                Issue.record("no answer")
                return
            }
            #expect(body.utf8.count >= 150_000)
            let seen = try await service.seenToTheEnd()
            #expect(Set(seen.map(\.httpVersion)) == [scheme == .https ? "HTTP/2" : "HTTP/1.1"])
            #expect(seen.first?.tls?.applicationProtocol == (scheme == .https ? "h2" : nil))
        }
    }

    @Test func `HTTPS of a server that speaks none, and HTTP of one that speaks TLS, fail with a reason`() async throws
    {
        try await withService(.http) { service in
            guard case .failed(let reason) = await get(.https, service.port) else {
                Issue.record("no failure")
                return
            }
            #expect(
                reason == "there is no TLS (WRONG_VERSION_NUMBER)")
        }
        try await withService(.https) { service in
            guard case .failed(let reason) = await get(.http, service.port) else {
                Issue.record("no failure")
                return
            }
            #expect(reason == "it closes without an answer")
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .http(status: 200, body: "ok")),
            (
                "HTTP/1.1 302 Found\r\nLocation: http://198.51.100.10:81/a?b\r\nContent-Length: 0\r\n\r\n",
                .ledAway(status: 302, location: "http://198.51.100.10:81/a?b", .ipv4)
            ),
            (
                "HTTP/1.1 302 Found\r\nLocation: https://198.51.100.10.shop.test/\r\nContent-Length: 0\r\n\r\n",
                .http(status: 302, body: "")
            ),
            ("HTTP/1.1 301 Moved\r\nLocation: /1.2.3.4\r\nContent-Length: 0\r\n\r\n", .http(status: 301, body: "")),
            ("HTTP/1.0 200 OK\r\n\r\nto the end", .http(status: 200, body: "to the end")),
            (
                "HTTP/1.1 404 x\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\nok\r\n1\r\n!\r\n0\r\n\r\n",
                .http(status: 404, body: "ok!")
            ),
            (
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                .http(status: 200, body: "ok")
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .failed("its answer does not end")),
            ("", .failed("it closes without an answer")), ("SSH-2.0\r\n\r\n", .failed("its answer is no HTTP")),
            ("HTTP/1.1 abc\r\n\r\n", .failed("its answer is no HTTP")),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nab\r\n",
                .failed("its answer is no HTTP")
            ),
        ] as [(String, ProbeAnswer.Result)])
    func `answers over HTTP 1`(text: String, result: ProbeAnswer.Result) async throws {
        #expect(try await answer(Array(text.utf8)) == result)
    }

    /// The server closes at once, sends a greeting, or waits for the client.
    @Test func `a connection alone shows whether the server keeps it`() async throws {
        for (octets, waits, result) in [
            ([], false, .closed), (Array("220 ready\r\n".utf8), false, .connected), ([], true, .connected),
        ] as [([UInt8], Bool, ProbeAnswer.Result)] {
            let listener = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
            let address = listener.localAddress
            async let served: Void = aside {
                let deadline = MonotonicClock.now() + .seconds(60)
                guard waitForInput(listener.descriptor, until: deadline),
                    case .connection(let socket, _) = listener.accept()
                else { return }
                if !octets.isEmpty { _ = socket.write(octets.span) }
                if waits { _ = waitForInput(socket.descriptor, until: deadline) }
            }
            #expect(await aside { HTTPProbe.connect(to: address, from: nil, within: .seconds(60)) } == result)
            await served
        }
        let listener = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let address = listener.localAddress
        let ended = await aside { HTTPProbe.connect(to: address, from: nil, within: .seconds(60), unless: { true }) }
        #expect(ended == .failed("it ended at this connection"))
    }

    @Test func `a head or an answer without an end ends by the limit`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nX: ".utf8)
        #expect(
            try await answer(head, ends: false, within: .milliseconds(300)) == .failed("its answer does not end"))
        #expect(try await answer([], ends: false, within: .milliseconds(300)) == .timedOut)
        // Limit for a body without an end.
        let body = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 0x61, count: 3 << 20)
        guard case .http(200, let read) = try await answer(body, ends: false) else {
            Issue.record("no answer")
            return
        }
        #expect((1 << 20..<3 << 20).contains(read.utf8.count))
        // NIO's decoder takes so much of a head.
        #expect(
            try await answer(head + [UInt8](repeating: 0x61, count: 200_000)) == .failed("its answer is no HTTP"))
    }
}
