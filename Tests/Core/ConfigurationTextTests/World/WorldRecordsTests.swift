// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Testing
import Wire

@testable import ConfigurationText

@Suite("A world's addresses in its DNS") struct WorldRecordsTests {
    @Test(arguments: [true, false])
    func `a host is found by its address`(isAlone: Bool) throws {
        let store = RecordStore(
            try world("version: 1\nhosts: { a.test: { addresses: [198.51.100.1] } }"), isAlone: isAlone)
        let question = Question(name: ReverseName.name(of: IPv4Address(198, 51, 100, 1)), type: .ptr)
        guard case .complete(let answer) = store.lookUp(question) else {
            Issue.record("the name is unknown")
            return
        }
        #expect(answer.answer.map(\.description) == ["1.100.51.198.in-addr.arpa. 300 IN PTR a.test."])
    }
}
