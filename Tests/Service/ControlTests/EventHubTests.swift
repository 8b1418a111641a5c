// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import Testing

@Suite struct EventHubTests {
    @Test func `every subscriber gets every event`() async throws {
        let hub = EventHub(ownedBy: geteuid())
        let streams = [try hub.subscribe(), try hub.subscribe()]
        hub.publish(Event(.reloaded, text: "one"))
        hub.publish(Event(.reloaded, text: "two"))
        hub.finish()
        for stream in streams {
            var texts: [String] = []
            for await event in stream { texts.append(event.text) }
            #expect(texts == ["one", "two"])
        }
    }

    @Test func `who is too slow learns how many events are missing`() async throws {
        let hub = EventHub(capacity: 4, ownedBy: geteuid())
        var events = try hub.subscribe().makeAsyncIterator()
        for number in 1...10 { hub.publish(Event(.dropped, text: "\(number)")) }
        for number in 1...4 { #expect(await events.next()?.text == "\(number)") }
        hub.publish(Event(.dropped, text: "11"))
        let lost = await events.next()
        #expect(lost?.kind == .lost)
        #expect(lost?.details == ["count": "6"])
        #expect(await events.next()?.text == "11")
    }

    @Test func `subscribers are limited and make room when they go`() async throws {
        let hub = EventHub(limit: 1, ownedBy: geteuid())
        let task = Task { [stream = try hub.subscribe()] in
            for await _ in stream {}
        }
        #expect(throws: ControlError.self) { try hub.subscribe() }
        task.cancel()
        await task.value
        _ = try hub.subscribe()
    }

    @Test func `after the end a stream is empty`() async throws {
        let hub = EventHub(ownedBy: geteuid())
        hub.finish()
        for await event in try hub.subscribe() { Issue.record("\(event)") }
    }
}
