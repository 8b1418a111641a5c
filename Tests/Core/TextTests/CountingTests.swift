// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@Suite struct CountingTests {
    @Test func `one is singular, and all else plural`() {
        #expect([0, 1, 2, 21].map { counted($0, "case") } == ["0 cases", "1 case", "2 cases", "21 cases"])
        #expect(counted(1, "query", "queries") == "1 query" && counted(2, "query", "queries") == "2 queries")
        #expect(counted(1 as UInt64, "client is", "clients are") == "1 client is")
        #expect(plural(3, "it fails", "they fail") == "they fail")
    }
}
