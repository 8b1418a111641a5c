// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Daemon

struct RefusalBookTests {
    private let start = Instant.zero + .seconds(100)

    @Test func `who is refused all the time has one line a minute, with a count`() {
        var book = RefusalBook()
        var told: [Bool] = []
        told.append(book.note(1001, "a", at: start))
        for _ in 0..<57 { told.append(book.note(1001, "b", at: start + .seconds(1))) }
        told.append(book.note(1002, "a", at: start))
        #expect(told.count(where: \.self) == 2)
        var due = book.due(at: start + .seconds(59))
        #expect(due.isEmpty)
        due = book.due(at: start + .seconds(60))
        #expect(due.map(\.user) == [1001])
        #expect(due.first?.entry.count == 57)
        #expect(due.first?.entry.reason == "b")
        told = [book.note(1001, "a", at: start + .seconds(61)), book.note(1002, "a", at: start + .seconds(61))]
        #expect(told == [false, true])
    }

    @Test func `it has room for so many users`() {
        var book = RefusalBook()
        var told = 0
        for user in UInt32(0)..<1000 where book.note(user, "a", at: start) { told += 1 }
        #expect(told == 256)
    }
}
