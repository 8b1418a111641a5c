// SPDX-License-Identifier: Apache-2.0
import Wire

/// The expiry of sessions: a wheel of lists, lazy about refreshes and exact about the time.
///
/// Theory of operation. Time is divided into ticks of 2ⁿ nanoseconds. A session waits in the list of the tick that contains its deadline,
/// or in the last list of the wheel if it is later. A packet that refreshes the session writes only the deadline, so that it touches none
/// of the session's neighbours: at a million sessions these would be cache misses. At its tick, a session whose deadline has moved is moved
/// to its new list.
///
/// The list of the current tick is sorted when the tick begins, so sessions expire in the order of their deadlines and at their deadlines.
/// No lifetime is shorter than two ticks, so a refreshed session is never due in the current tick again; the rest of the list therefore
/// stays sorted.
///
///       current                                            horizon
///     +---------+---------+---------+---------+-  -+---------+
///     | sorted  | list    | list    | list    |    | list    |
///     +---------+---------+---------+---------+-  -+---------+
struct TimerWheel: ~Copyable {
    private static let slotCount = 2048
    private static let slotMask = slotCount - 1
    /// About 268 ms, which puts the horizon at nine minutes.
    private static let coarsestTick = 28

    private let tickBits: Int64
    private var heads: [UInt32]
    /// A bit for each list that is not empty.
    private var occupied: [UInt64]
    private var current: Int64
    private var lastOfCurrent = noEntry
    private(set) var nextEvent = Instant.distantFuture

    init(shortestLifetime: Duration, now: Instant) {
        let nanoseconds = max(2, shortestLifetime.wholeNanoseconds)
        // At least two ticks within the shortest lifetime.
        let bits = Int64(62 - nanoseconds.leadingZeroBitCount)
        tickBits = min(Int64(Self.coarsestTick), max(0, bits))
        heads = Array(repeating: noEntry, count: Self.slotCount)
        occupied = Array(repeating: 0, count: Self.slotCount / 64)
        current = now.nanoseconds >> tickBits
    }

    private func tick(of time: Instant) -> Int64 { time.nanoseconds >> tickBits }
    private func slot(of tick: Int64) -> Int { Int(truncatingIfNeeded: tick) & Self.slotMask }

    // MARK: - Waiting

    mutating func schedule(_ number: UInt32, at now: Instant, in pool: inout EntryPool<Session>) {
        // After an idle time the wheel catches up, so that the horizon is as far from now as possible. If nothing waits, it does so even at
        // the end of time, when `nextEvent` is not after `now`.
        if (nextEvent > now || nextEvent == .distantFuture) && heads[slot(of: current)] == noEntry {
            current = max(current, tick(of: now))
        }
        let deadline = pool[number].deadline
        let wanted = tick(of: deadline)
        if wanted <= current {
            insertSorted(number, in: &pool)
            nextEvent = min(nextEvent, deadline)
        } else {
            let tick = min(wanted, current &+ Int64(Self.slotMask))
            push(number, onto: slot(of: tick), in: &pool)
            nextEvent = min(nextEvent, Instant(nanoseconds: tick << tickBits))
        }
    }

    mutating func cancel(_ number: UInt32, in pool: inout EntryPool<Session>) {
        let entry = pool[number]
        let slot = Int(entry.timerSlot)
        if entry.previous == noEntry { heads[slot] = entry.next } else { pool[entry.previous].next = entry.next }
        if entry.next != noEntry {
            pool[entry.next].previous = entry.previous
        } else if slot == self.slot(of: current) {
            lastOfCurrent = entry.previous
        }
        if heads[slot] == noEntry { occupied[slot / 64] &= ~(1 << UInt64(slot % 64)) }
    }

    private mutating func push(_ number: UInt32, onto slot: Int, in pool: inout EntryPool<Session>) {
        let head = heads[slot]
        pool[number].previous = noEntry
        pool[number].next = head
        pool[number].timerSlot = UInt16(truncatingIfNeeded: slot)
        if head != noEntry { pool[head].previous = number }
        heads[slot] = number
        occupied[slot / 64] |= 1 << UInt64(slot % 64)
    }

    /// A deadline within the current tick, or in the past, is rare: only a lifetime of some milliseconds causes one.
    private mutating func insertSorted(_ number: UInt32, in pool: inout EntryPool<Session>) {
        let slot = slot(of: current)
        let deadline = pool[number].deadline
        var before = lastOfCurrent
        while before != noEntry, pool[before].deadline > deadline { before = pool[before].previous }
        if before == noEntry {
            if heads[slot] == noEntry { lastOfCurrent = number }
            push(number, onto: slot, in: &pool)
            return
        }
        let after = pool[before].next
        pool[number].previous = before
        pool[number].next = after
        pool[number].timerSlot = UInt16(truncatingIfNeeded: slot)
        pool[before].next = number
        if after == noEntry { lastOfCurrent = number } else { pool[after].previous = number }
    }

    // MARK: - Expiring

    mutating func nextExpired(at now: Instant, in pool: inout EntryPool<Session>) -> UInt32? {
        while true {
            let slot = slot(of: current)
            while heads[slot] != noEntry {
                let first = heads[slot]
                let deadline = pool[first].deadline
                if tick(of: deadline) > current {
                    cancel(first, in: &pool)
                    schedule(first, at: now, in: &pool)
                } else if deadline <= now {
                    cancel(first, in: &pool)
                    return first
                } else {
                    nextEvent = deadline
                    return nil
                }
            }
            guard let tick = nextOccupiedTick() else {
                nextEvent = .distantFuture
                return nil
            }
            let start = Instant(nanoseconds: tick << tickBits)
            if start > now {
                nextEvent = start
                return nil
            }
            begin(tick, in: &pool)
        }
    }

    private func nextOccupiedTick() -> Int64? {
        let first = (slot(of: current) + 1) & Self.slotMask
        // The word of the first slot is checked twice: its upper part now, its lower part after a whole turn.
        for step in 0...occupied.count {
            let word = (first / 64 + step) % occupied.count
            var bits = occupied[word]
            if step == 0 { bits &= ~0 << UInt64(first % 64) }
            if bits == 0 { continue }
            let slot = word * 64 + bits.trailingZeroBitCount
            return current &+ Int64((slot - first) & Self.slotMask) + 1
        }
        return nil
    }

    /// Makes `tick` the current one: its list is reversed, as it was filled from the front, and sorted.
    private mutating func begin(_ tick: Int64, in pool: inout EntryPool<Session>) {
        current = tick
        let slot = slot(of: tick)
        var reversed = noEntry
        var number = heads[slot]
        while number != noEntry {
            let next = pool[number].next
            pool[number].next = reversed
            reversed = number
            number = next
        }
        heads[slot] = sorted(reversed, in: &pool)

        var previous = noEntry
        number = heads[slot]
        while number != noEntry {
            pool[number].previous = previous
            previous = number
            number = pool[number].next
        }
        lastOfCurrent = previous
    }

    // MARK: - Sorting

    /// A stable merge sort of a list, bottom-up and in place: run k of `runs` has 2ᵏ entries or none.
    private func sorted(_ list: UInt32, in pool: inout EntryPool<Session>) -> UInt32 {
        var runs = InlineArray<32, UInt32>(repeating: noEntry)
        var number = list
        while number != noEntry {
            let next = pool[number].next
            pool[number].next = noEntry
            var run = number
            var k = 0
            while k < 31, runs[k] != noEntry {
                run = merged(runs[k], run, in: &pool)
                runs[k] = noEntry
                k += 1
            }
            runs[k] = run
            number = next
        }
        var result = noEntry
        for k in 0..<32 where runs[k] != noEntry {
            result = result == noEntry ? runs[k] : merged(runs[k], result, in: &pool)
        }
        return result
    }

    /// If deadlines are equal, `earlier` comes first.
    private func merged(_ earlier: UInt32, _ later: UInt32, in pool: inout EntryPool<Session>) -> UInt32 {
        var a = earlier
        var b = later
        var head = noEntry
        var last = noEntry
        while a != noEntry && b != noEntry {
            let takesEarlier = pool[a].deadline <= pool[b].deadline
            let taken = takesEarlier ? a : b
            if last == noEntry { head = taken } else { pool[last].next = taken }
            last = taken
            if takesEarlier { a = pool[a].next } else { b = pool[b].next }
        }
        let rest = a == noEntry ? b : a
        if last == noEntry { return rest }
        pool[last].next = rest
        return head
    }
}
