import ConfigurationText
import DNS64
import DNSWire
import Testing
import Wire

@testable import Simulator

@Suite("A world's addresses in its DNS") struct WorldRecordsTests {
    private func world(_ yaml: String) throws -> World { try World(yaml: Array(yaml.utf8), name: "w.yaml") }

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

    @Test func `addresses are covered by the fewest prefixes that hold no others`() {
        func address(_ last: UInt8) -> IPv4Address { IPv4Address(10, 0, 0, last) }
        let covering = IPv4Prefix.covering([1, 2, 3, 4, 5, 6, 7, 9, 3].map(address))
        #expect(covering.map(\.description) == ["10.0.0.1/32", "10.0.0.2/31", "10.0.0.4/30", "10.0.0.9/32"])
        #expect(IPv4Prefix.covering((0...255).map { address($0) }).map(\.description) == ["10.0.0.0/24"])
        #expect(IPv4Prefix.covering([]).isEmpty)
    }
}
