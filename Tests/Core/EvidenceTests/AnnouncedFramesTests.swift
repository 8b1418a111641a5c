// SPDX-License-Identifier: Apache-2.0
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite struct `Frames that were announced` {
    private let frames = [StackFrame(function: "main", file: "/srv/app.js", line: 4)]

    private func evidence(announcing host: String, port: UInt16 = 80, by program: Int = 0) -> CallEvidence {
        var evidence = CallEvidence()
        evidence.announced = [AnnouncedCall(program: program, host: host, port: port, frames: frames)]
        evidence.calls = [
            TracedCall(
                .connect, .address(.ip("198.51.100.10", port: 80), length: 16, on: nil),
                .failed(.networkUnreachable))
        ]
        return evidence
    }

    private let answers: (String) -> Set<IPAddress> = { $0 == "shop.test" ? ["198.51.100.10"] : [] }

    @Test(arguments: ["198.51.100.10", "shop.test", "of-the-hosts-file"])
    func `come to the call to that far end`(host: String) {
        #expect(evidence(announcing: host).withAnnouncedFrames(addresses: answers).calls[0].frames == frames)
    }

    @Test func `come to no other call`() {
        for other in [
            evidence(announcing: "198.51.100.11"), evidence(announcing: "shop.test", port: 81),
            evidence(announcing: "shop.test", by: 1),
        ] { #expect(other.withAnnouncedFrames(addresses: answers) == other) }
        let elsewhere = evidence(announcing: "shop.test")
        #expect(elsewhere.withAnnouncedFrames { _ in ["2001:db8::1"] } == elsewhere)
    }

    @Test func `come to the call that listens on a port of the kernel's choice`() {
        var evidence = evidence(announcing: "198.51.100.10", port: 0)
        #expect(evidence.withAnnouncedFrames(addresses: answers) == evidence)
        evidence.calls[0].name = .listen
        #expect(evidence.withAnnouncedFrames(addresses: answers).calls[0].frames == frames)
    }

    /// By IPv4 first, and after that for something else by IPv6.
    @Test(arguments: [(second: 3, line: 9), (second: 7, line: 4)])
    func `come to the call after them, where the same host is asked for twice`(second: Int, line: Int) {
        var evidence = evidence(announcing: "shop.test")
        let later = [StackFrame(function: "main", file: "/srv/app.js", line: 9)]
        evidence.announced.append(
            AnnouncedCall(program: 0, host: "shop.test", port: 80, frames: later, time: .seconds(second)))
        evidence.calls.append(
            TracedCall(.connect, .address(.ip("64:ff9b::c633:640a", port: 80), length: 28, on: nil), .succeeded(0)))
        evidence.calls[0].time = .seconds(1)
        evidence.calls[1].time = .seconds(5)
        let found = evidence.withAnnouncedFrames { _ in ["198.51.100.10", "64:ff9b::c633:640a"] }.calls
        #expect(found.map { $0.frames.first?.line } == [4, line])
    }

    @Test func `come to the look-up of that name, in that process`() {
        var evidence = evidence(announcing: "shop.test")
        evidence.programs = [TracedProgram(process: 7, executable: "/usr/bin/node")]
        var lookup = Lookup(.getaddrinfo, "shop.test")
        lookup.process = 7
        #expect(evidence.announcedFrame(of: lookup) == frames[0])
        // The name's own look-up has precedence over a connection that needs the name.
        let asked = [StackFrame(function: "ask", file: "/srv/app.js", line: 9)]
        evidence.announced.append(AnnouncedCall(program: 0, host: "shop.test", port: nil, frames: asked))
        #expect(evidence.announcedFrame(of: lookup) == asked[0])
        lookup.process = 8
        #expect(evidence.announcedFrame(of: lookup) == nil)
        lookup.process = 7
        lookup.node = "other.test"
        #expect(evidence.announcedFrame(of: lookup) == nil)
    }

    @Test func `do not replace what an interpreter told of the call itself`() {
        var evidence = evidence(announcing: "shop.test")
        evidence.calls[0].frames = [StackFrame(function: "other", file: "/srv/other.py", line: 1)]
        #expect(evidence.withAnnouncedFrames(addresses: answers) == evidence)
    }

    @Test func `of one address are taken in their order`() {
        var evidence = evidence(announcing: "198.51.100.10")
        let other = [StackFrame(function: "main", file: "/srv/app.js", line: 9)]
        evidence.announced.append(AnnouncedCall(program: 0, host: "198.51.100.10", port: 80, frames: other))
        evidence.calls.append(evidence.calls[0])
        #expect(evidence.withAnnouncedFrames { _ in [] }.calls.map(\.frames) == [frames, other])
    }
}
