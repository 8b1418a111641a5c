// SPDX-License-Identifier: Apache-2.0
import Evidence
import EvidenceSupport
import Foundation
import Sandbox
import Testing

@testable import CheckRunner

@Suite struct `The IPv6 addresses that a client was given` {
    private func given(afterOpening path: String?, calls: [TracedCall] = []) throws -> [String] {
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(1))
        var evidence = CallEvidence(
            calls, by: [TracedProgram(process: 2, executable: "/bin/cat", arguments: ["cat", "2001:db8::7"])])
        evidence.openedFiles = [path].compactMap(\.self).map { OpenedFile(path: $0, program: 0, time: .zero) }
        run.calls = evidence
        GivenInput.complete(&run, Environment(block: []))
        return try #require(run.calls).given.map { "\($0.address)" }
    }

    @Test func `are told where it was silent`() throws {
        #expect(try given(afterOpening: nil) == ["2001:db8::7"])
        #expect(try given(afterOpening: "/etc/hostname") == ["2001:db8::7"])
    }

    @Test func `are not, where what it opened last is not there`() throws {
        #expect(try given(afterOpening: "/nonexistent/shop.conf").isEmpty)
        let attempt = TracedCall(.connect, to: "2001:db8::7", 80)
        #expect(try given(afterOpening: "/nonexistent/shop.conf", calls: [attempt]) == ["2001:db8::7"])
    }
}
