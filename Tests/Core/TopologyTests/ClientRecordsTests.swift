// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Topology

@Suite struct ClientRecordsTests {
    private struct Things: ClientRecord {
        var size = 0
    }

    private typealias Records = ClientRecords<Int, Things>

    private func records(limit: Int = 16) -> Records {
        Records(limit: limit, room: Records.Room(each: 2, one: 10, all: 20))
    }

    @Test func `a client has one record, and another has another`() {
        var records = records()
        for (time, client) in [7, 8, 7, 7].enumerated() {
            let place = records.place(of: client, at: .zero + .seconds(time)) { Things() }
            records[place!].size += 1
        }
        #expect(records.entries.map(\.address) == [7, 8])
        #expect(records.entries.map(\.record.size) == [3, 1])
        #expect(records.entries.map(\.count) == [3, 1])
        let seconds = (0...3).map { Instant.zero + .seconds($0) }
        #expect(records.entries.map(\.first) == [seconds[0], seconds[1]])
        #expect(records.entries.map(\.last) == [seconds[3], seconds[1]])
    }

    @Test func `what is done for a client is nothing that it does`() {
        var records = records()
        _ = records.place(of: 7, at: .zero) { Things() }
        _ = records.place(of: 7, at: .zero + .seconds(9), isDoing: false) { nil }
        #expect(records.entries[0].count == 2 && records.entries[0].last == .zero)
        #expect(records.place(of: 8, at: .zero, isDoing: false) { nil } == nil)
        #expect(records.entries.count == 1)
    }

    /// A flood of addresses that come once each pushes out its own.
    @Test func `who did the most stays when all places are taken`() {
        var records = records()
        for client in 0..<8 {
            for _ in 0..<50 { _ = records.place(of: client, at: .zero) { Things() } }
        }
        for stranger in 0..<100_000 {
            _ = records.place(of: 1000 + stranger, at: .zero + .seconds(stranger)) { Things() }
        }
        #expect(records.entries.count == 16)
        #expect(Set(records.entries.map(\.address)).isSuperset(of: 0..<8))
        #expect(records.forgotten == 100_008 - 16)
        for (place, entry) in records.entries.enumerated() { #expect(records.place(of: entry.address) == place) }
        #expect(records.place(of: 1000) == nil)
    }

    @Test func `all together have so much room, and each a little of its own`() {
        var records = records()
        for client in 0..<4 {
            for _ in 0..<100 {
                let place = records.place(of: client, at: .zero) { Things() }!
                if records[place].size < records.limitOfOne { records[place].size += 1 }
            }
        }
        #expect(records.entries.map(\.record.size) == [10, 10, 2, 2])
        #expect(records.limitOfOne == 2)
    }

    @Test func `who goes leaves room behind`() {
        var records = records(limit: 2)
        for client in 0..<2 { records[records.place(of: client, at: .zero) { Things() }!].size = 10 }
        #expect(records.limitOfOne == 2)
        _ = records.place(of: 0, at: .zero) { Things() }
        _ = records.place(of: 5, at: .zero) { Things() }
        #expect(records.entries.map(\.address).sorted() == [0, 5])
        #expect(records.limitOfOne == 10)
    }
}
