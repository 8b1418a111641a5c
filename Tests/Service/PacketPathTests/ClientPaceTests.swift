import Testing
import Wire

@testable import PacketPath

@Suite struct ClientPaceTests {
    @Test func `a flood is more than so many packets within a second, however long it lasts`() {
        var pace = ClientPace()
        for second in 0..<10 {
            for tenth in 0..<10 {
                let now = Instant.zero + .seconds(100 + second) + .milliseconds(100 * tenth)
                let isFlood = pace.isFlood(ClientPace.limit / 10, at: now)
                #expect(!isFlood)
            }
        }
        let now = Instant.zero + .seconds(110)
        let answers = [pace.isFlood(ClientPace.limit, at: now), pace.isFlood(1, at: now + .milliseconds(999))]
        #expect(answers == [false, true])
    }
}
