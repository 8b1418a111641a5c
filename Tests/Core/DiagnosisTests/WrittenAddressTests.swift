// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Reports
import Testing
import Wire

@testable import Diagnosis

/// Literals whose address the DNS told as well.
@Suite struct WrittenAddressTests {
    private let names = [
        question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
    ]

    private func findings(
        _ calls: TracedCall..., flows: [Flow] = [], by program: TracedProgram? = nil
    ) -> [Finding] {
        var run = here(questions: names, flows: flows)
        run.calls = CallEvidence(
            calls, by: [program ?? TracedProgram(process: 10, executable: "/app/client")])
        let control = onDualStack(questions: names, flows: [direct()])
        return Verdict(run: run, control: control, command: ["./client"]).findings
    }

    private func ask(_ time: Duration) -> TracedCall {
        TracedCall(.connect, to: "2e00:2:0:1::1", 53, on: .ipv6Datagram, .succeeded(0), time: time)
    }

    private func literal(_ origin: AddressOrigin.Place? = nil, probably: Bool = false) -> TracedCall {
        var call = TracedCall(
            .connect, to: "198.51.100.10", 80, at: "fetch shop.c:7", origin: origin, time: .milliseconds(20))
        call.origin?.isCertain = !probably
        return call
    }

    @Test func `who asks for a name only later has the address from elsewhere`() {
        let found = findings(literal(), ask(.milliseconds(30)))
        #expect(found.map(\.rule) == [.literalAddress])
        #expect(
            found[0].sentences == [
                "connect(198.51.100.10 port 80, addrlen 16) → ENETUNREACH in fetch (shop.c:7). It had looked up no name by then, "
                    + "and there is no IPv4 route here."
            ])
        #expect(found[0].observations[0].site?.line == 7)
    }

    @Test func `who asked before and tries the IPv4 address alone has it from the DNS`() {
        let fromDNS = literal(.answer("shop.test", .a))
        #expect(findings(ask(.milliseconds(10)), fromDNS).map(\.rule) == [.takesIPv4Address])
        #expect(findings(ask(.milliseconds(10)), literal()).map(\.rule) == [.takesIPv4Address])
    }

    @Test func `an address that stands in a file is a literal, be its name reached or not`() {
        let written = literal(.file(path: "shop.conf", line: 3), probably: true)
        for flows in [[], [translated()]] {
            let found = findings(ask(.milliseconds(10)), written, flows: flows)
            #expect(found.map(\.rule) == [.literalAddress])
            #expect(
                found[0].sentences[0].contains(
                    "the address is probably from shop.conf:3. It is an address of shop.test too, which it looked up"))
        }
    }

    @Test func `who asked for AAAA alone was told of the address by the one that was synthesised from it`() {
        func found(_ origin: AddressOrigin.Place) -> [Rule] {
            var run = here(
                questions: [RepeatedQuery("shop.test", .aaaa, [synthesised.description], from: [server])],
                flows: [translated()])
            run.calls = CallEvidence(
                [ask(.milliseconds(10)), literal(origin)], by: [TracedProgram(process: 10, executable: "/usr/bin/node")]
            )
            let control = onDualStack(questions: names, flows: [direct()])
            return Verdict(run: run, control: control, command: ["node", "--test"]).findings.map(\.rule)
        }
        #expect(found(.file(path: "shop.test.js", line: 8)) == [.literalAddress])
        #expect(!found(.answer("shop.test", .a)).contains(.literalAddress))
    }

    @Test func `who reached the name and has the address from nowhere else tried all of them`() {
        let fromDNS = literal(.answer("shop.test", .a))
        #expect(findings(ask(.milliseconds(10)), fromDNS, flows: [translated()]).map(\.rule) == [.endsAfterConnection])
    }

    @Test func `a probe of another port is not how it goes to the host`() {
        let probe = TracedCall(
            .connect, to: "198.51.100.10", 9, on: .ipv4Datagram, origin: .file(path: "shop.py", line: 3),
            time: .milliseconds(20))
        #expect(!findings(probe, ask(.milliseconds(30))).map(\.rule).contains(.literalAddress))
    }

    @Test func `a mapped literal is no mapped address of a name`() {
        let mapped = TracedCall(
            .connect, to: "::ffff:198.51.100.10", 80, on: .ipv6Stream, origin: .file(path: "shop.properties", line: 3),
            time: .milliseconds(20))
        #expect(findings(ask(.milliseconds(10)), mapped).map(\.rule) == [.literalAddress])
    }

    @Test func `Java's IPv4 addresses are mapped, and its programs have the names of their classes`() {
        let java = TracedProgram(
            process: 10, executable: "/usr/lib/jvm/bin/java",
            arguments: ["java", "-ea", "-cp", "/app:/lib", "shop.Fetch", "x"])
        let call = TracedCall(
            .connect, to: "::ffff:198.51.100.10", 80, on: .ipv6Stream, at: "shop.Fetch.main Fetch.java:12",
            time: .milliseconds(20))
        let found = findings(ask(.milliseconds(10)), call, by: java)
        #expect(found.map(\.rule) == [.takesIPv4Address])
        #expect(found[0].observations[0].site?.program == "shop.Fetch")
    }
}
