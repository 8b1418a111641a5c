// SPDX-License-Identifier: Apache-2.0
import Control
import DNS64
import DNSServer
import DNSWire
import LinuxNet
import Testing
import Translation
import Wire

@testable import Daemon

struct ObserverTests {
    @Test func `packets that went nowhere are told once, by what is new`() async throws {
        let registry = Registry()
        let stream = try registry.events.subscribe()
        let connection = FakeConnection()
        registry.add(named: "curl", connection)
        var observer = Observer(try FakeNetworks().dns, registry)
        connection.drop(.noRoute, 2)
        look(&observer, registry)
        look(&observer, registry)
        connection.drop(.noRoute, 5)
        look(&observer, registry)
        let drops = await collect(stream, registry).filter { $0.kind == .dropped }
        #expect(drops.map { $0.details["count"] } == ["2", "3"])
        #expect(drops.first?.client == 1)
        #expect(drops.first?.text == "2 × no-route: there is no route to the destination, such as a packet")
    }

    @Test func `a client that has gone is not looked at`() async throws {
        let registry = Registry()
        let stream = try registry.events.subscribe()
        let connection = FakeConnection()
        let client = registry.add(named: "curl", connection)
        var observer = Observer(try FakeNetworks().dns, registry)
        connection.drop(.noRoute, 2)
        connection.cut()
        look(&observer, registry)
        registry.remove(client, last: nil)
        look(&observer, registry)
        #expect(await collect(stream, registry).allSatisfy { $0.kind != .dropped })
    }

    @Test func `faults that happened are told, and many of them as one`() async throws {
        let faults = [try Fault(presentation: "rcode SERVFAIL")]
        let dns = try DNSService(.serving(faults), listeningOn: [SocketAddress(IPv6Address.loopback, port: 0)])
        let registry = Registry()
        let stream = try registry.events.subscribe()
        var observer = Observer(dns, registry)
        try dns.start()
        try ask(dns, 300)
        look(&observer, registry)
        look(&observer, registry)
        let events = await collect(stream, registry)
        #expect(events.count == 257)
        #expect(events.first?.text.hasPrefix("a.test. A of ") == true)
        #expect(events.last?.text == "faults happened to 44 more queries")
    }

    private func look(_ observer: inout Observer, _ registry: Registry) {
        var paths = PathSnapshots()
        paths.look(at: registry.clients)
        observer.look(paths)
    }

    private func ask(_ dns: DNSService, _ count: Int) throws {
        let socket = try DatagramSocket(connectingTo: dns.addresses[0])
        let name = try DomainName("a.test.")
        for number in 0..<count {
            let query = Message(
                id: UInt16(number), flags: .recursionDesired, questions: [Question(name: name, type: .a)]
            ).encoded()
            var batch = DatagramBatch(datagramCapacity: query.count)
            _ = batch.append(query.span, to: dns.addresses[0])
            socket.send(batch)
            // The socket's buffer is finite.
            if number % 50 == 49 { dns.settle() }
        }
        dns.settle()
    }
}
