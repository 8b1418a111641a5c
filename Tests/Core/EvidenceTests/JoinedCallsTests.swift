// SPDX-License-Identifier: Apache-2.0
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite struct `Calls of one kind` {
    private func joined(_ calls: TracedCall...) -> [TracedCall] {
        var evidence = CallEvidence(calls)
        evidence.joinCalls()
        return evidence.calls
    }

    @Test func `are an entry for each line that is the client's own`() {
        let calls = joined(
            TracedCall(.connect, to: "198.51.100.10", 80, at: "one a.c:3"),
            TracedCall(.connect, to: "198.51.100.10", 80, at: "other a.c:9"),
            TracedCall(.connect, to: "198.51.100.10", 80, at: "one a.c:3", "main a.c:20"),
            TracedCall(.connect, to: "198.51.100.10", 81, at: "one a.c:3"))
        #expect(calls.map(\.count) == [2, 1, 1])
        #expect(calls.compactMap { $0.frames.own?.line } == [3, 9, 3])
    }

    @Test func `for sockets are an entry for each line, too`() {
        let kind = TracedCall.Subject.socket(.ipv4Datagram)
        let calls = joined(
            TracedCall(.socket, kind, at: "getaddrinfo", "main a.c:3"), TracedCall(.socket, kind, at: "send a.c:9"))
        #expect(calls.map(\.count) == [1, 1])
    }

    @Test func `without a place are one of those before`() {
        let calls = joined(
            TracedCall(.connect, to: "198.51.100.10", 80, at: "one a.c:3"),
            TracedCall(.connect, to: "198.51.100.10", 80),
            TracedCall(.connect, to: "198.51.100.10", 80, .failed(.timedOut)))
        #expect(calls.map(\.count) == [2, 1])
    }

    @Test func `without a place may be the resolver's`() {
        let question = TracedCall.Subject.netlink(type: 22, family: 0)
        let calls = joined(
            TracedCall(.sendto, question, at: "getaddrinfo", "main a.c:3"), TracedCall(.sendto, question))
        #expect(calls.map(\.count) == [2])
    }

    @Test func `of the resolver are no others`() {
        let calls = joined(
            TracedCall(.connect, to: "2001:db8::1", 53, at: "getaddrinfo", "main a.c:3"),
            TracedCall(.connect, to: "2001:db8::1", 53, at: "main a.c:3"))
        #expect(calls.count == 2)
    }
}
