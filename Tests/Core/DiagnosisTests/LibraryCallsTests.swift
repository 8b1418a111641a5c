// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Diagnosis

/// Which calls are the client's own, and which getaddrinfo's.
@Suite struct LibraryCallsTests {
    private static func evidence(_ random: inout some RandomNumberGenerator) -> CallEvidence {
        var evidence = CallEvidence()
        evidence.calls = (0..<Int.random(in: 0...30, using: &random)).map { index in
            let name: TracedCall.Name = [.connect, .connect, .connect, .bind, .sendto, .setsockopt].randomElement(
                using: &random)!
            let address = IPv4Address(198, 51, 100, UInt8.random(in: 1...3, using: &random))
            let type = [SocketKind.datagram, SocketKind.datagram, SocketKind.stream].randomElement(using: &random)!
            let port: UInt16 = [80, 80, 80, 443, 53].randomElement(using: &random)!
            return TracedCall(
                name,
                .address(
                    .ip(.ipv4(address), port: port), length: 16,
                    on: SocketKind(family: SocketKind.ipv4, type: type)), .succeeded(0),
                program: Int.random(in: 0...1, using: &random), time: .milliseconds(index))
        }
        return evidence
    }

    /// The same by looking at each call's neighbours: slow, and plain to see.
    private static func isForSorting(_ place: Int, in calls: [TracedCall]) -> Bool {
        func canBe(_ call: TracedCall) -> Bool {
            guard case .address(.ip(_, let port), _, let kind?) = call.subject else { return false }
            return call.name == .connect && kind.type == SocketKind.datagram && port != 53
        }
        let call = calls[place]
        guard canBe(call) else { return false }
        func goesOn(_ index: Int) -> Bool { canBe(calls[index]) && calls[index].address?.port == call.address?.port }
        let others = calls.indices.filter {
            calls[$0].program == call.program && (calls[$0].name == .bind || calls[$0].isAttempt)
        }
        let before = others.filter { $0 < place }.reversed().prefix(while: goesOn).reversed()
        let after = others.filter { $0 >= place }.prefix(while: goesOn)
        // Sorting asks for each address once: one that comes again begins anew.
        var sorting: [[Int]] = [[]]
        for index in Array(before) + Array(after) {
            if sorting[sorting.count - 1].contains(where: { calls[$0].address == calls[index].address }) {
                sorting.append([])
            }
            sorting[sorting.count - 1].append(index)
        }
        let own = sorting.first { $0.contains(place) } ?? []
        return Set(own.compactMap { calls[$0].address?.ip }).count > 1
    }

    @Test(arguments: [
        (UInt16(0), SocketKind.datagram, true), (0, SocketKind.stream, false), (9, SocketKind.datagram, true),
    ])
    func `pycares sorts a single address`(port: UInt16, type: Int, isSorting: Bool) {
        var evidence = CallEvidence()
        var call = TracedCall(
            .connect,
            .address(
                .ip(.ipv4(IPv4Address(198, 51, 100, 1)), port: port), length: 16,
                on: SocketKind(family: SocketKind.ipv4, type: type)), .failed(.networkUnreachable), program: 0,
            time: .zero)
        call.frames = [
            StackFrame(function: "process", file: "/v/site-packages/pycares/__init__.py", line: 5),
            StackFrame(function: "main", file: "a.py", line: 3),
        ]
        evidence.calls = [call]
        #expect(evidence.own.isEmpty == isSorting)
    }

    /// Its look-ups of several names run beside each other, so that no pattern of calls shows them.
    @Test(arguments: [(SocketKind.datagram, true), (SocketKind.stream, false)])
    func `Go sorts a single address`(type: Int, isSorting: Bool) {
        var evidence = CallEvidence()
        var call = TracedCall(
            .connect,
            .address(
                .ip(.ipv4(IPv4Address(198, 51, 100, 1)), port: 9), length: 16,
                on: SocketKind(family: SocketKind.ipv4, type: type)), .failed(.networkUnreachable), program: 0,
            time: .zero)
        call.frames = [
            StackFrame(function: "net.DialUDP", file: "/usr/lib/go/src/net/udpsock.go", line: 270),
            StackFrame(function: "net.srcAddrs", file: "/usr/lib/go/src/net/addrselect.go", line: 40),
            StackFrame(function: "main.main", file: "/app/main.go", line: 9),
        ]
        evidence.calls = [call]
        #expect(evidence.own.isEmpty == isSorting)
    }

    @Test func `one pass finds what a look at all neighbours finds`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let evidence = Self.evidence(&random)
            let expected = evidence.calls.indices.filter { !Self.isForSorting($0, in: evidence.calls) }
            #expect(evidence.own == expected.map { evidence.calls[$0] })
        }
    }

    @Test func `many calls take no long time`() {
        var evidence = CallEvidence()
        evidence.calls = (0..<20_000).map { index in
            TracedCall(
                .connect,
                .address(
                    .ip(.ipv4(IPv4Address(bits: UInt32(index))), port: 80), length: 16,
                    on: SocketKind(family: SocketKind.ipv4, type: SocketKind.datagram)), .succeeded(0),
                time: .milliseconds(index))
        }
        var own: [TracedCall]?
        let time = ContinuousClock().measure { own = evidence.own }
        #expect(own == [])
        // Quadratic, it would be minutes.
        #expect(time < .seconds(60))
    }
}
