// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Testing
import Topology
import Translation
import Wire

@testable import AttachProtocol
@testable import AttachServer

@Suite struct RunnerLineTests {
    /// A runner that is stopped, with more to tell it than there is room for.
    @Test(.timeLimit(.minutes(5))) func `nobody waits for a runner that does not read`() throws {
        let pair = try UnixSocket.pair()
        let line = try RunnerLine(beside: AttachChannel(pair.first), on: .nat64)
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

    @Test func `a client is on a network when it has its side of it`() throws {
        let pair = try UnixSocket.pair()
        let line = try RunnerLine(beside: AttachChannel(pair.first), on: .nat64)
        #expect(line.hasClient(on: .nat64) && !line.hasClient(on: .strict) && !line.hasClient(on: nil))
        line.leave()
        for network in [.nat64, .strict, nil] as [Network?] { #expect(!line.hasClient(on: network)) }
        line.arrive(on: nil)
        #expect(line.hasClient(on: nil) && !line.hasClient(on: .nat64))
    }

    @Test func `who asks in the middle of a move is answered when it is over`() throws {
        let pair = try UnixSocket.pair()
        let line = try RunnerLine(beside: AttachChannel(pair.first), on: .strict)
        line.leave()
        let question = line.ask(for: .nat64)
        line.arrive(on: .nat64)
        #expect(try question.answer(until: MonotonicClock.now() + .seconds(10)) == true)
        // The runner hears of it all the same, and says again where its client is.
        let runner = AttachChannel(pair.second)
        guard case .message(.wanted(.nat64), nil) = runner.receive(AttachReply.self, until: nil) else {
            Issue.record("nothing was wanted")
            return
        }
    }
}
