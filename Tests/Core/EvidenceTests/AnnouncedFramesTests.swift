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

    @Test func `do not replace what an interpreter told of the call itself`() {
        var evidence = evidence(announcing: "shop.test")
        evidence.calls[0].frames = [StackFrame(function: "other", file: "/srv/other.py", line: 1)]
        #expect(evidence.withAnnouncedFrames(addresses: answers) == evidence)
    }
}
