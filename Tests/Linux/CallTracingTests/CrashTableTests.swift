// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@testable import CallTracing

@Suite struct CrashTableTests {
    private func stack(_ address: UInt64) -> StackSnapshot {
        StackSnapshot(registers: [], stackAddress: address, stack: [], map: 0)
    }

    @Test func `the last signal before the end is the crash, once`() {
        var table = CrashTable()
        table.begin(11, of: 7, at: stack(1))
        table.begin(6, of: 7, at: stack(2))
        #expect(table.end(8, by: 6) == nil, "another process")
        #expect(table.end(7, by: 11) == nil, "it handled that one")
        #expect(table.end(7, by: 6) == stack(2))
        #expect(table.end(7, by: 6) == nil, "a further thread of it")
        table.begin(6, of: 7, at: stack(3))
        table.forget(7)
        #expect(table.end(7, by: 6) == nil, "another process of that id")
    }

    @Test func `signals that no crash sends, and those of a process that handles many, are not looked at`() {
        var table = CrashTable()
        #expect(!table.wants(15, of: 7) && !table.wants(9, of: 7) && table.wants(11, of: 7))
        for number in UInt64(0)..<16 { table.begin(11, of: 7, at: stack(number)) }
        #expect(!table.wants(11, of: 7) && table.wants(11, of: 8))
    }
}
