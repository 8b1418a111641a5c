import Findings
import Testing

@testable import CheckRunner

@Suite struct LookupLogTests {
    private func line(_ node: String, pid: Int = 7, lost: Int = 0) -> [UInt8] {
        Array("ipv6synth/1 call=inet_addr pid=\(pid) tid=\(pid) node=\(node) result=1 count=1 lost=\(lost)".utf8)
    }

    @Test func theSameCallIsKeptOnceWhicheverProcessMakesIt() {
        var log = LookupLog()
        for pid in [7, 8, 9] { log.take(line("192.0.2.1", pid: pid)) }
        log.take(line("192.0.2.2"))
        #expect(log.lookups.map(\.node) == ["192.0.2.1", "192.0.2.2"])
        #expect(log.lookups.map(\.count) == [3, 1])
        #expect(log.lookups[0].process == 7)
    }

    @Test func whatIsNoRecordIsCountedAsLost() {
        var log = LookupLog()
        for octets in [[], Array("hello".utf8), [0xff, 0x00], Array("ipv6synth/1 call=inet_addr".utf8)] {
            log.take(octets)
        }
        #expect(log.lookups.isEmpty)
        #expect(log.lost == 4)
    }

    @Test func itNeverGrowsPastItsLimitWhateverAClientClaims() {
        var log = LookupLog()
        for index in 0..<LookupLog.limit + 10 { log.take(line("host\(index)")) }
        #expect(log.lookups.count == LookupLog.limit)
        #expect(log.lost == 10)
        log.take(line("host0", lost: .max))
        log.take(line("host0", lost: -5))
        log.take(line("host0", lost: .max))
        #expect(log.lost == LookupLog.lossLimit)
    }
}
