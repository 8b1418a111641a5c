// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire
import Text
package import Translation
import Wire

/// A question for any DNS64, and the answers that an RFC allows.
package struct ScenarioQuestion: Hashable, Sendable {
    /// `RFC 6147 §5.1.2`
    package let sentence: String
    /// The point of the question, such as `SERVFAIL to AAAA`.
    package let point: String
    /// As written, with its options first: `+do v4.example. AAAA`.
    package let query: String
    /// Each with the RCODE and the data of the answer section, such as `NOERROR AAAA 64:ff9b::808:808`.
    package let right: [String]
    fileprivate let line: Int
    /// Whether a TTL follows the data.
    let hasTTL: Bool
    /// Whether it applies to the well-known prefix alone.
    let isOfWellKnownPrefix: Bool

    /// - Parameter prefix: the prefix under which the server synthesises.
    fileprivate init(_ block: ScenarioFile.Block, _ file: ScenarioFile, prefix: Pref64) throws {
        // question: 6147 §5.1.2  SERVFAIL to AAAA
        let words = block.argument.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, let first = block.body.first else {
            throw file.failure(block.line, "expected the RFC, its section and the point, and the query below")
        }
        sentence = "RFC \(words[0]) \(words[1])"
        point = String(words[2].drop { $0 == " " })
        line = first.line
        let lines = try block.body.map { try file.placed($0, under: prefix) }
        let options = first.text.words.filter { $0.hasPrefix("+") }
        hasTTL = options.contains("+ttl")
        isOfWellKnownPrefix = options.contains("+wkp")
        query = lines[0].words.filter { !["+ttl", "+wkp"].contains($0) }.joined(separator: " ")
        right = try zip(block.body, lines).dropFirst().map { line, text in
            guard text.hasPrefix("= ") else { throw file.failure(line.line, "expected \"= RCODE DATA\"") }
            return String(text.dropFirst(2))
        }
        if right.isEmpty { throw file.failure(block.line, "no answer to it is right") }
    }

    /// A server's answer, in the form of `right`.
    func said(_ reply: Message) -> String {
        var words = ["\(reply.responseCode)"]
        let answer = reply.answer.filter { $0.type != .rrsig }
        var next = 0
        while next < answer.count {
            // Records of one name and type have no order.
            let end = answer[next...].firstIndex { $0.name != answer[next].name || $0.type != answer[next].type }
            words += answer[next..<(end ?? answer.count)].map(text).sorted()
            next = end ?? answer.count
        }
        if reply.flags.contains(.authenticData) { words.append("(AD)") }
        if reply.edns != nil && query.words.contains("+noedns") { words.append("(EDNS)") }
        if query.hasSuffix(" MX"), reply.additional.contains(where: { $0.type == .aaaa }) {
            words.append("(AAAA in the additional section)")
        }
        return words.joined(separator: " ")
    }

    private func text(_ record: ResourceRecord) -> String {
        // For a SOA record, only the names of its server and mailbox.
        let data = record.type == .soa ? "\(record.data)".words.prefix(2).joined(separator: " ") : "\(record.data)"
        return "\(record.type) \(data)" + (hasTTL ? "/\(record.ttl)" : "")
    }
}

/// A server's answer to a question.
package struct AnsweredQuestion: Hashable, Sendable {
    package let question: ScenarioQuestion
    /// In the form of the question's right answers; `no answer` if none arrived in time.
    package let said: String

    package var isRight: Bool { question.right.contains(said) }
}

extension ScenarioFile {
    /// The requirements of RFC 6147 and related RFCs, as questions.
    package static let shipped = try! ScenarioFile(name: "dns64.scenario", text: EmbeddedFile.dns64Scenario)

    /// Whether it has questions for any DNS64: then its records are the upstream's, and not the server's.
    package var hasQuestions: Bool { blocks.contains { $0.keyword == "question" } }

    /// The upstream with the records for the questions, without synthesis.
    package func upstreamConfiguration() throws -> ResolverConfiguration {
        var configuration = try configuration()
        configuration.networks = [ServedNetwork(policy: SynthesisPolicy())]
        return configuration
    }

    /// Our server, without records of its own, forwarding to the upstream: as in the file, or with one prefix.
    package func ownConfiguration(under prefix: Pref64, forwardingTo upstream: [Endpoint]) throws
        -> ResolverConfiguration
    {
        let networks = try configuration().networks
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []),
            networks: networks.isEmpty ? [ServedNetwork(policy: SynthesisPolicy(prefix: prefix))] : networks)
        configuration.forwarders = ForwarderConfiguration(servers: upstream)
        return configuration
    }

    /// Asks a server that synthesises under a prefix the questions, except for those about another prefix.
    /// - Parameter told: called with each answer when it has arrived.
    /// - Returns: the answers, in the order of the file.
    package func ask(
        _ server: inout some ScenarioServer, under prefix: Pref64, told: (AnsweredQuestion) -> Void = { _ in }
    ) throws -> [AnsweredQuestion] {
        let questions = try blocks.filter { $0.keyword == "question" }
            .map { try ScenarioQuestion($0, self, prefix: prefix) }
            .filter { prefix == .wellKnown || !$0.isOfWellKnownPrefix }
        // A TTL is the record's own only if the answer is not in the server's cache, so these questions come first.
        let order =
            questions.indices.filter { questions[$0].hasTTL } + questions.indices.filter { !questions[$0].hasTTL }
        var answers: [(place: Int, answer: AnsweredQuestion)] = []
        for (number, place) in order.enumerated() {
            if number == Self.silenceLimit, answers.allSatisfy({ $0.answer.said == Self.silence }) {
                throw failure(1, "there is no answer to any question")
            }
            let question = questions[place]
            let query = try query(question.query, at: question.line, id: UInt16(truncatingIfNeeded: 0x6147 + place))
            let octets = try server.ask(query.message.encoded(), from: query.client, over: query.transport)
            let said = octets.map { octets in
                (try? Message(octets.span)).map(question.said) ?? "what is no DNS message"
            }
            let answer = AnsweredQuestion(question: question, said: said ?? Self.silence)
            answers.append((place, answer))
            told(answer)
        }
        return answers.sorted { $0.place < $1.place }.map(\.answer)
    }

    private static let silence = "no answer"

    /// The number of unanswered questions after which the server counts as absent.
    private static let silenceLimit = 3

    /// {8.8.8.8}: the address under the prefix; {reverse 8.8.8.8}: its name in ip6.arpa; {reverse}: the prefix's name there.
    fileprivate func placed(_ line: Line, under prefix: Pref64) throws(Failure) -> String {
        var text = ""
        var rest = line.text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw failure(line.line, "a { without a }") }
            text += rest[..<open]
            var words = String(rest[rest.index(after: open)..<close]).words
            let isReverse = words.first == "reverse"
            if isReverse { words.removeFirst() }
            rest = rest[rest.index(after: close)...]
            if isReverse && words.isEmpty {
                text += ReverseName.zone(of: prefix).description
            } else if words.count == 1, let address = IPv4Address(words[0]) {
                let synthesised = prefix.embed(address)
                text += isReverse ? ReverseName.name(of: synthesised).description : "\(synthesised)"
            } else {
                throw failure(line.line, "neither an IPv4 address nor \"reverse\" in braces")
            }
        }
        return text + rest
    }
}
