// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Control
import Glibc
import LinuxNet
import Logging
import Testing
import Translation

@testable import Daemon

extension Registry {
    /// With a log that goes nowhere.
    convenience init() {
        self.init(log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, ownedBy: geteuid())
    }

    /// Adds a client under the next number.
    @discardableResult
    func add(named name: String, _ connection: FakeConnection = FakeConnection()) -> AttachedClient {
        let client = AttachedClient(
            id: nextID(), peer: UnixPeer(user: 1000, group: 1000, process: 7), name: name, since: MonotonicClock.now(),
            connection: connection)
        add(client)
        return client
    }
}

/// The events that a stream has had so far.
func collect(_ stream: AsyncStream<Event>, _ registry: Registry) async -> [Event] {
    registry.events.finish()
    var events: [Event] = []
    for await event in stream { events.append(event) }
    return events
}

struct RegistryTests {
    @Test func `clients are listed in the order of their coming`() {
        let registry = Registry()
        for number in 1...20 { registry.add(named: "client \(number)") }
        #expect(registry.clients.map(\.id) == Array(1...20))
        #expect(registry.client(7)?.name == "client 7")
        #expect(registry.client(21) == nil)
    }

    @Test func `a number is never given again`() {
        let registry = Registry()
        let first = registry.add(named: "first")
        registry.remove(first, last: nil)
        #expect(registry.add(named: "second").id == 2)
        #expect(registry.clients.map(\.name) == ["second"])
    }

    @Test func `what clients that have gone left in the counters stays`() {
        let registry = Registry()
        for count in [2, 3] as [UInt64] {
            let connection = FakeConnection()
            connection.drop(.noRoute, count)
            let client = registry.add(named: "client", connection)
            #expect(registry.departed.drops[.noRoute] ?? 0 == (count == 2 ? 0 : 2))
            registry.remove(client, last: connection.now)
        }
        #expect(registry.departed.drops == [.noRoute: 5])
        #expect(registry.clients.isEmpty)
    }

    @Test func `coming and going are told`() async throws {
        let registry = Registry()
        let stream = try registry.events.subscribe()
        let client = registry.add(named: "curl")
        registry.remove(client, last: nil)
        let events = await collect(stream, registry)
        #expect(events.map(\.kind) == [.clientAttached, .clientDetached])
        #expect(events.map(\.client) == [1, 1])
        #expect(events.first?.text == "curl of user 1000 is on nat64")
        #expect(events.first?.details == ["network": "nat64", "uid": "1000", "name": "curl"])
    }

    @Test func `names that strangers give have nothing that a terminal obeys`() {
        let registry = Registry()
        #expect(registry.add(named: "curl\u{1b}[31m\n\u{202e}x").name == "curl\u{fffd}[31m\u{fffd}\u{fffd}x")
        #expect(registry.add(named: String(repeating: "a", count: 1000)).name.count == 64)
    }
}
