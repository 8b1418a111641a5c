// SPDX-License-Identifier: Apache-2.0
import Scenarios
import Testing
import Translation

@Suite("Questions to any DNS64")
struct QuestionTests {
    private static let text = """
        network: any
            clauses: [64:ff9b::/96]

        world: example.
            v4.example. 30 A 8.8.8.8
            8.8.8.8.in-addr.arpa. 300 PTR v4.example.

        question: 6147 §5.1.7  a TTL
            +ttl v4.example. AAAA
            = NOERROR AAAA {8.8.8.8}/30

        question: 6147 §5.1.2  NXDOMAIN
            none.example. AAAA
            = NOERROR

        question: 6147 §5.3.1  the prefix's zone
            +wkp {reverse} TXT
            = NOERROR
        """

    private static func ask(_ text: String = text, under prefix: Pref64 = .wellKnown) throws -> [AnsweredQuestion] {
        let file = try ScenarioFile(name: "q", text: text)
        #expect(file.hasQuestions)
        var server = ResolverInProcess(try file.configuration())
        return try file.ask(&server, under: prefix)
    }

    @Test func `a departure is one, and what is right is not`() throws {
        let answers = try Self.ask()
        #expect(answers.map(\.said) == ["NOERROR AAAA 64:ff9b::808:808/30", "NXDOMAIN", "NOERROR"])
        #expect(answers.map(\.isRight) == [true, false, true])
        #expect(answers.map(\.question.sentence) == ["RFC 6147 §5.1.7", "RFC 6147 §5.1.2", "RFC 6147 §5.3.1"])
    }

    @Test func `what is about the well-known prefix is not asked under another`() throws {
        let answers = try Self.ask(
            Self.text.replacing("64:ff9b::/96", with: "2001:db8:64::/96"), under: Pref64("2001:db8:64::/96"))
        #expect(answers.map(\.said) == ["NOERROR AAAA 2001:db8:64::808:808/30", "NXDOMAIN"])
        #expect(answers.map(\.isRight) == [true, false])
    }

    @Test(arguments: [
        ("question: 6147 §5\n    a. A\n    = NOERROR", "expected the RFC"),
        ("question: 6147 §5 point\n    a. A", "no answer to it is right"),
        ("question: 6147 §5 point\n    a. A\n    NOERROR", "expected \"= RCODE DATA\""),
        ("question: 6147 §5 point\n    a. A\n    = NOERROR {8.8.8}", "neither an IPv4 address"),
        ("question: 6147 §5 point\n    +x=1 a. A\n    = NOERROR", "unknown option +x=1"),
        ("question: 6147 §5 point\n    +edns=999 a. A\n    = NOERROR", "unknown option +edns=999"),
    ])
    func `a mistake in a question is said with its line`(text: String, message: String) {
        let error = #expect(throws: ScenarioFile.Failure.self) { try Self.ask("world:\n" + text) }
        #expect(error?.text.contains(message) == true && error?.line ?? 0 >= 2)
    }

    @Test func `the shipped questions can be read, and each has a right answer`() throws {
        #expect(ScenarioFile.shipped.hasQuestions)
        var server = ResolverInProcess(try ScenarioFile.shipped.configuration())
        let answers = try ScenarioFile.shipped.ask(&server, under: .wellKnown)
        #expect(answers.count > 50)
        // A server that does not synthesise departs where that is the point, and nowhere else.
        #expect(answers.contains { !$0.isRight } && answers.contains { $0.isRight })
    }
}
