import Evidence
import LinuxNet
import Testing
import Topology
import Translation
import Wire

@testable import Attach
@testable import Attaching

@Suite struct RunnerLineTests {
    /// A runner that is stopped, with more to tell it than there is room for.
    @Test(.timeLimit(.minutes(5))) func `nobody waits for a runner that does not read`() throws {
        let pair = try UnixSocket.pair()
        let line = try RunnerLine(beside: AttachChannel(pair.first))
        for _ in 0..<1_000 { line.tell([.wellKnown]) }
        // There is no room for this either, and so the answer comes at once.
        #expect(throws: LoopFailure.self) {
            try line.ask(for: .strict).answer(until: MonotonicClock.now() + .seconds(60))
        }
        let runner = AttachChannel(pair.second)
        guard case .message(.prefixes(let prefixes), nil) = runner.receive(AttachReply.self, until: nil) else {
            Issue.record("nothing was told")
            return
        }
        #expect(prefixes == ["64:ff9b::/96"])
    }
}
