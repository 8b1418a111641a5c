// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import LinuxNet
import Reports
import Scenarios
import Text
import Translation

/// The answers of a DNS64 to the questions of `dns64-check`, in each output format.
struct DNS64CheckReport {
    /// The DNS64s under test; none of them is ours.
    let servers: [SocketAddress]
    let prefix: Pref64
    var answers: [AnsweredQuestion] = []
    /// The reasons why a file could not be played to its end, a line each.
    var failures: [String] = []

    init(servers: [SocketAddress], prefix: Pref64) {
        (self.servers, self.prefix) = (servers, prefix)
    }

    var departures: Int { answers.count { !$0.isRight } }

    private var serverName: String {
        servers.isEmpty ? "nat64sim" : servers.map(\.description).joined(separator: " ")
    }

    // MARK: - Text output

    /// A line; for a departure, the question, the right answer and the actual one below it.
    static func line(_ answer: AnsweredQuestion, _ marks: Marks) -> String {
        let question = answer.question
        let head = "\(answer.isRight ? marks.pass : marks.fail)  \(question.sentence.padded(to: 17))  \(question.point)"
        return answer.isRight
            ? head
            : """
            \(head)
                    asked     \(question.query)
                    right     \(question.right.joined(separator: ", or "))
                    answered  \(answer.said)
            """
    }

    static func summary(_ answers: [AnsweredQuestion]) -> String {
        let departures = answers.count { !$0.isRight }
        return departures == 0
            ? "\nAll \(counted(answers.count, "answer")) are right."
            : "\n\(departures) of \(counted(answers.count, "answer")) \(plural(departures, "departs", "depart")) from the RFCs."
    }

    // MARK: - JSON and JUnit

    private struct Document: Encodable {
        struct Answer: Encodable {
            let rfc: String
            let point: String
            /// With options first: `+do v4.example. AAAA`.
            let query: String
            let right: [String]
            let answered: String
            let isRight: Bool
        }

        let schema = 1
        let tool = "nat64sim"
        let version = ProgramVersion.current
        let server: String
        let prefix: String
        let departures: Int
        let failures: [String]
        let answers: [Answer]
    }

    /// UTF-8 text with a final newline.
    func json() throws -> [UInt8] {
        let document = Document(
            server: serverName, prefix: "\(prefix.prefix)", departures: departures,
            failures: failures,
            answers: answers.map {
                Document.Answer(
                    rfc: $0.question.sentence, point: $0.question.point, query: $0.question.query,
                    right: $0.question.right, answered: $0.said, isRight: $0.isRight)
            })
        return Array(try encodedForPeople(document))
    }

    /// JUnit XML with one test for each question.
    var junit: [UInt8] {
        var writer = XMLWriter()
        let counts: [(StaticString, String)] = [
            ("tests", "\(answers.count + failures.count)"), ("failures", "\(departures)"),
            ("errors", "\(failures.count)"),
        ]
        writer.element("testsuites", [("name", "dns64-check")] + counts) { writer in
            writer.element("testsuite", [("name", serverName)] + counts) { writer in
                for failure in failures {
                    writer.element("testcase", [("classname", "dns64-check"), ("name", failure)]) { writer in
                        writer.element("error", [("message", failure), ("type", "failure")], text: failure + "\n")
                    }
                }
                for answer in answers {
                    let question = answer.question
                    let attributes: [(StaticString, String)] = [
                        ("classname", question.sentence), ("name", "\(question.point): \(question.query)"),
                    ]
                    if answer.isRight {
                        writer.element("testcase", attributes)
                    } else {
                        let right = question.right.joined(separator: ", or ")
                        writer.element("testcase", attributes) { writer in
                            writer.element(
                                "failure", [("message", "answered \(answer.said)"), ("type", "departure")],
                                text: "right: \(right)\nanswered: \(answer.said)\n")
                        }
                    }
                }
            }
        }
        return Array(writer.text.utf8)
    }
}
