// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import NAT64

/// The wheel against the obvious: a list of deadlines, searched for the earliest.
@Suite struct TimerWheelTests {
    private static func session(_ number: UInt16) -> Session {
        var session = Session.vacant
        session.state = .established
        session.hostPort = number
        return session
    }

    private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test
    func `a session expires at its deadline and not a nanosecond before`() {
        var pool = EntryPool<Session>(limit: 4)
        var wheel = TimerWheel(shortestLifetime: .seconds(6), now: .zero)
        let number = pool.allocate(Self.session(1))!
        pool[number].deadline = Self.at(300_000_000_123)
        wheel.schedule(number, at: .zero, in: &pool)

        #expect(wheel.nextExpired(at: Self.at(300_000_000_122), in: &pool) == nil)
        #expect(wheel.nextEvent == Self.at(300_000_000_123))
        #expect(wheel.nextExpired(at: Self.at(300_000_000_123), in: &pool) == number)
        #expect(wheel.nextExpired(at: Self.at(300_000_000_123), in: &pool) == nil)
        #expect(wheel.nextEvent == .distantFuture)
    }

    @Test
    func `a refreshed session is not handed out at its old deadline`() {
        var pool = EntryPool<Session>(limit: 4)
        var wheel = TimerWheel(shortestLifetime: .seconds(6), now: .zero)
        let number = pool.allocate(Self.session(1))!
        pool[number].deadline = Self.at(6_000_000_000)
        wheel.schedule(number, at: .zero, in: &pool)
        pool[number].deadline = Self.at(11_000_000_000)

        #expect(wheel.nextExpired(at: Self.at(10_999_999_999), in: &pool) == nil)
        #expect(wheel.nextExpired(at: Self.at(11_000_000_000), in: &pool) == number)
    }

    @Test
    func `a deadline beyond the horizon is kept`() {
        var pool = EntryPool<Session>(limit: 4)
        var wheel = TimerWheel(shortestLifetime: .seconds(6), now: .zero)
        let number = pool.allocate(Self.session(1))!
        pool[number].deadline = Self.at(86_400_000_000_000)
        wheel.schedule(number, at: .zero, in: &pool)

        #expect(wheel.nextExpired(at: Self.at(86_399_999_999_999), in: &pool) == nil)
        #expect(wheel.nextExpired(at: Self.at(86_400_000_000_000), in: &pool) == number)
    }

    @Test(arguments: [Int64(1_000), 300_000_000, 6_000_000_000])
    func `whatever is scheduled, refreshed, brought forward and cancelled expires in order`(shortest: Int64) {
        var random = SeededRandom(seed: UInt64(shortest))
        var pool = EntryPool<Session>(limit: 400)
        var wheel = TimerWheel(shortestLifetime: .nanoseconds(shortest), now: .zero)
        var live: [UInt32: Instant] = [:]
        var now = Instant.zero

        for _ in 0..<4_000 {
            switch random.below(6) {
            case 0, 1:
                guard let number = pool.allocate(Self.session(0)) else { break }
                pool[number].deadline = now + .nanoseconds(shortest * Int64(1 + random.below(2_000)))
                wheel.schedule(number, at: now, in: &pool)
                live[number] = pool[number].deadline
            case 2:
                guard let number = live.keys.sorted().randomElement(using: &random) else { break }
                pool[number].deadline = max(
                    live[number]!, now + .nanoseconds(shortest * Int64(1 + random.below(3_000))))
                live[number] = pool[number].deadline
            case 3:
                guard let number = live.keys.sorted().randomElement(using: &random) else { break }
                wheel.cancel(number, in: &pool)
                pool[number].deadline = now + .nanoseconds(shortest)
                wheel.schedule(number, at: now, in: &pool)
                live[number] = pool[number].deadline
            case 4:
                guard let number = live.keys.sorted().randomElement(using: &random) else { break }
                wheel.cancel(number, in: &pool)
                pool.release(number)
                live[number] = nil
            default:
                // Now and then, a long idle time.
                if random.below(10) == 0 { now = now + .nanoseconds(shortest * 10_000) }
                now = now + .nanoseconds(shortest * Int64(random.below(40)))
                if let earliest = live.values.min() { #expect(wheel.nextEvent <= earliest) }
                var last = Instant.zero
                while let number = wheel.nextExpired(at: now, in: &pool) {
                    let deadline = pool[number].deadline
                    #expect(deadline == live[number] && deadline <= now && deadline >= last)
                    last = deadline
                    live[number] = nil
                    pool.release(number)
                }
                #expect(live.values.allSatisfy { $0 > now })
                #expect(wheel.nextEvent > now)
            }
        }
    }
}
