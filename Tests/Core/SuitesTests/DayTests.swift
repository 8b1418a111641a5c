// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Suites

@Suite struct DayTests {
    @Test(arguments: [
        "2027-02-29", "2027-13-01", "2027-00-10", "2027-1-1", "27-01-01", "2027-01-01T", "", "2027/01/01", "+027-01-01",
    ])
    func `no day`(_ text: String) {
        #expect(Day(text) == nil)
    }

    @Test(arguments: [
        ("2027-01-01", "2026-12-31", 1), ("2028-03-01", "2028-02-28", 2), ("2027-03-01", "2027-02-28", 1),
        ("2026-11-22", "2026-11-22", 0), ("2100-03-01", "2100-02-28", 1), ("2027-11-22", "2026-11-22", 365),
    ]) func `days between`(_ later: String, _ earlier: String, _ days: Int) throws {
        #expect(try #require(Day(later)) - #require(Day(earlier)) == days)
    }

    @Test func `days are ordered, and written as they are read`() throws {
        let day = try #require(Day("2027-03-09"))
        #expect(try #require(Day("2026-12-31")) < day)
        #expect(day.description == "2027-03-09")
    }
}
