import Testing
import Wire

@testable import ConfigurationText
@testable import World

@Suite("The log of requests", .timeLimit(.minutes(5))) struct RequestLogTests {
    @Test func `tells who asked whom for what, and what it got`() async throws {
        try await withService(.http) { service in
            _ = try await service.get("/bytes/1000?a=b", method: "POST")
            let record = try #require(service.log.records.first)
            #expect(record.service == service.service)
            #expect(record.peer == Loopback.ipv4 && record.peerPort != 0)
            #expect(record.method == "POST" && record.host == "host.test" && record.path == "/bytes/1000?a=b")
            #expect(record.status == 200 && record.bytes == 1000)
            #expect(service.log.records.count == 1)
        }
    }

    @Test func `an interim response is not taken for the answer`() async throws {
        try await withService(.http) { service in
            _ = try await service.get("/echo", method: "POST", fields: ["Expect: 100-continue"], body: "abc")
            #expect(service.log.records.map(\.status) == [200])
        }
    }

    @Test func `an exchange that is cut short is logged with what was sent of it`() async throws {
        let log = try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send("GET /bytes/1099511627776 HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await connection.receive(atLeast: 1000)
            try await connection.close()
            return service.log
        }
        let record = try #require(log.records.first)
        #expect(record.status == 200)
        #expect((1000..<1 << 40).contains(record.bytes))
    }

    @Test func `is full at its capacity and counts from there`() {
        let log = RequestLog(capacity: 2)
        let service = World.Service(kind: .http, address: Loopback.ipv4, port: 80, hostNames: [])
        for port: UInt16 in 1...5 {
            log.add(
                RequestRecord(
                    time: .zero, service: service, peer: nil, peerPort: port, method: "GET", host: "", path: "/",
                    status: nil, bytes: 0))
        }
        #expect(log.records.map(\.peerPort) == [1, 2])
        #expect(log.missed == 3)
    }

    @Test func `keeps no more of a path than can be read`() async throws {
        try await withService(.http) { service in
            _ = try await service.get("/" + String(repeating: "x", count: 10_000))
            #expect(service.log.records.first?.path.utf8.count == RequestLog.maximumTextLength)
        }
    }
}
