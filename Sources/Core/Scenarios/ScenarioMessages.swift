// SPDX-License-Identifier: Apache-2.0
import Topology
import DNS64
import DNSWire
import Wire

// The blocks of a scenario that are messages.

extension ScenarioFile {
    struct Query {
        var message: Message
        var client: Endpoint
        var transport: Transport
    }

    /// The client of a query that does not specify one.
    static let client = Endpoint(.ipv6(NetworkPlan.scenarioClient), port: 40_000)

    /// query: [options] NAME TYPE [CLASS]
    func query(_ block: Block, id: UInt16) throws -> Query { try query(block.argument, at: block.line, id: id) }

    func query(_ text: String, at line: Int, id: UInt16) throws -> Query {
        var words = text.words
        var hasTwoQuestions = false
        var query = Query(
            message: Message(id: id, flags: .recursionDesired, edns: EDNS()), client: Self.client, transport: .udp)
        while let option = words.first, option.hasPrefix("+") {
            words.removeFirst()
            switch option {
            case "+tcp": query.transport = .tcp
            case "+norec": query.message.flags.remove(.recursionDesired)
            case "+cd": query.message.flags.insert(.checkingDisabled)
            case "+ad": query.message.flags.insert(.authenticData)
            case "+do": query.message.edns?.dnssecOK = true
            case "+noedns": query.message.edns = nil
            case "+two": hasTwoQuestions = true
            default:
                let parts = option.dropFirst().split(separator: "=", maxSplits: 1)
                switch (parts.first, parts.last.map(String.init) ?? "") {
                case ("bufsize", let text) where UInt16(text) != nil:
                    query.message.edns?.udpPayloadSize = UInt16(text) ?? 0
                case ("edns", let text) where UInt8(text) != nil: query.message.edns?.version = UInt8(text) ?? 0
                case ("opcode", let text) where UInt8(text) != nil:
                    query.message.flags.opcode = Opcode(rawValue: UInt8(text) ?? 0)
                case ("from", let text) where IPAddress(text) != nil:
                    query.client.address = IPAddress(text) ?? query.client.address
                default: throw failure(line, "unknown option \(option)")
                }
            }
        }
        guard words.count == 2 || words.count == 3, let type = RecordType(words[1]),
            let recordClass = words.count == 2 ? .internet : RecordClass(words[2])
        else { throw failure(line, "expected NAME TYPE [CLASS]") }
        let question = Question(name: try DomainName(words[0]), type: type, recordClass: recordClass)
        query.message.questions = hasTwoQuestions ? [question, question] : [question]
        return query
    }

    /// tells: [options] RCODE, with the answer section below, and the authority section after a line "authority".
    func answer(_ block: Block, to question: Message, from server: Endpoint) throws -> (
        message: Message, sender: Endpoint
    ) {
        var sender = server
        var message = Message(id: question.id, flags: .response, questions: question.questions)
        message.edns = question.edns
        for word in block.argument.words {
            switch word {
            case "+tc": message.flags.insert(.truncated)
            case "+wrong-id": message.id = ~message.id
            case "+wrong-port": sender.port = 5353
            case "+other-question": message.questions[0].name = try DomainName("other.test")
            case "+other-case":
                message.questions[0].name = try DomainName(message.questions[0].name.description.swappedCase)
            case "+noedns": message.edns = nil
            default:
                guard let code = ResponseCode(word) else { throw failure(block.line, "unknown word \(word)") }
                message.responseCode = code
            }
        }
        var isAuthority = false
        for line in block.body {
            if line.text == "authority" {
                isAuthority = true
            } else if isAuthority {
                message.authority.append(try record(line))
            } else {
                message.answer.append(try record(line))
            }
        }
        return (message, sender)
    }
}

extension String {
    fileprivate var swappedCase: String {
        String(map { $0.isLowercase ? Character($0.uppercased()) : Character($0.lowercased()) })
    }
}
