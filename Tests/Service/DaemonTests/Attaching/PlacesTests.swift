// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing
import Topology
import Wire

@testable import AttachServer
@testable import Daemon

struct PlacesTests {
    private let strangers = [UInt32(1001), 1002]

    @Test func `a place is given at once while there is one, the one that was free for longest`() throws {
        let places = Places(2, on: .standard, own: 1)
        let first = try places.request(for: 1)
        let second = try places.request(for: 1)
        #expect([first.place, second.place] == [ClientSlot(0), ClientSlot(1)])
        places.end(second)
        places.end(first)
        #expect(try places.request(for: 1).place == ClientSlot(1))
    }

    @Test func `users who wait are served in turns, however many requests each has`() throws {
        let places = Places(1, on: .standard, own: 1)
        var current = try places.request(for: 1001)
        let greedy = try (0..<10).map { _ in try places.request(for: 1001) }
        let modest = try (0..<3).map { _ in try places.request(for: 1002) }
        #expect((greedy + modest).allSatisfy { $0.place == nil })
        var order: [UInt32] = []
        for _ in 0..<6 {
            places.end(current)
            let next = try #require((greedy + modest).first { $0.place != nil })
            order.append(modest.contains { $0 === next } ? 1002 : 1001)
            current = next
        }
        #expect(order == [1002, 1001, 1002, 1001, 1002, 1001])
    }

    @Test func `a user cannot have all of them, unless it is root or the daemon's own`() throws {
        let places = Places(8, on: .standard, own: 1)
        let requests = try (0..<8).map { _ in try places.request(for: 1001) }
        #expect(requests.count { $0.place != nil } == 5)
        #expect(try places.request(for: 1002).place != nil)
        let waiting = try #require(requests.last)
        #expect(places.reason(for: waiting).contains("user 1001 has 5 of the 8 slots of the simulator"))
        #expect(try places.request(for: 0).place != nil)
        #expect(try places.request(for: 1).place != nil)
        #expect(try places.request(for: 1).place == nil)
    }

    @Test func `who goes makes room, with a place or without`() throws {
        let places = Places(1, on: .standard, own: 1)
        let first = try places.request(for: 1)
        let second = try places.request(for: 1001)
        let third = try places.request(for: 1002)
        places.end(second)
        places.end(first)
        #expect(third.place == ClientSlot(0))
        #expect(second.place == nil)
        #expect(!waitForInput(second.descriptor, until: .zero))
        #expect(waitForInput(third.descriptor, until: .zero))
    }
}
