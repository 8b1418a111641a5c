import DNS64
import DNSWire
import Wire

/// Plays a scenario against a resolver in this process, with time passing only where the scenario says so.
struct ScenarioRunner {
    private static let identifier: UInt16 = 0x1092
    private let file: ScenarioFile
    private var resolver: Resolver
    private var now = Instant.zero
    private var nextTicket: UInt64 = 0
    private var reply: Message?
    private var replyIdentifierIsRight = true
    private var record: QueryRecord?
    /// Questions to forwarders that were not answered yet, in the order in which they were asked.
    private var asked: [Asked] = []

    private struct Asked {
        var message: Message
        var server: Endpoint
        var transport: Transport
        var exchange: UInt64
    }

    init(_ file: ScenarioFile) throws {
        self.file = file
        resolver = Resolver(try file.configuration(), random: SplitMix64(state: 0x6147))
    }

    mutating func run() throws {
        for block in file.blocks {
            switch block.keyword {
            case "title", "network", "world", "forwarders", "faults": break
            case "query": try ask(block)
            case "reply": try check(block)
            case "authority": try compare(try received(block).authority, block)
            case "additional": try compare(try received(block).additional, block)
            case "rule": try expect("\(evidence(block).rule)", block)
            case "source": try expect("\(evidence(block).source)", block)
            case "from": try expect(evidence(block).synthesisedFrom.map(\.description).joined(separator: " "), block)
            case "ede":
                try expect(
                    (try received(block).edns?.extendedErrors ?? []).map { "\($0.infoCode)" }.joined(separator: " "),
                    block)
            case "wait":
                guard let seconds = Int(block.argument) else {
                    throw file.failure(block.line, "not a number of seconds")
                }
                now = now + .seconds(seconds)
                var actions: [Resolver.Action] = []
                resolver.advance(to: now, into: &actions)
                try take(actions, block)
            case "asks": try checkAsked(block)
            case "tells": try tell(block)
            case "faults-shown":
                try expect(try evidence(block).faults.map(\.description).joined(separator: "; "), block)
            default: throw file.failure(block.line, "unknown keyword \"\(block.keyword)\"")
            }
        }
    }

    // MARK: Asking

    /// query: [options] NAME TYPE [CLASS]
    private mutating func ask(_ block: ScenarioFile.Block) throws {
        var words = block.argument.words
        var client = Endpoint(.ipv6(IPv6Address("2001:2:0:aab1::2")!), port: 40_000)
        var transport = Transport.udp
        var message = Message(id: Self.identifier, flags: .recursionDesired, edns: EDNS())
        while let option = words.first, option.hasPrefix("+") {
            words.removeFirst()
            switch option {
            case "+tcp": transport = .tcp
            case "+norec": message.flags.remove(.recursionDesired)
            case "+cd": message.flags.insert(.checkingDisabled)
            case "+ad": message.flags.insert(.authenticData)
            case "+do": message.edns?.dnssecOK = true
            case "+noedns": message.edns = nil
            default:
                let parts = option.dropFirst().split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == "bufsize", let size = UInt16(parts[1]) {
                    message.edns?.udpPayloadSize = size
                } else if parts.count == 2, parts[0] == "from", let address = IPAddress(String(parts[1])) {
                    client.address = address
                } else {
                    throw file.failure(block.line, "unknown option \(option)")
                }
            }
        }
        guard words.count == 2 || words.count == 3, let type = RecordType(words[1]),
            let recordClass = words.count == 2 ? .internet : RecordClass(words[2])
        else { throw file.failure(block.line, "expected NAME TYPE [CLASS]") }
        message.questions = [Question(name: try DomainName(words[0]), type: type, recordClass: recordClass)]

        reply = nil
        record = nil
        nextTicket += 1
        var actions: [Resolver.Action] = []
        let octets = message.encoded()
        resolver.receive(
            octets.span, from: client, over: transport, ticket: nextTicket, at: now, into: &actions)
        try take(actions, block)
    }

    private mutating func take(_ actions: [Resolver.Action], _ block: ScenarioFile.Block) throws {
        for action in actions {
            switch action {
            case .reply(let octets, let ticket):
                guard ticket == nextTicket else { throw file.failure(block.line, "a reply to another query") }
                reply = try Message(octets.span)
                replyIdentifierIsRight = reply?.id == Self.identifier
            case .forget(let ticket):
                guard ticket == nextTicket else { throw file.failure(block.line, "another query was dropped") }
            case .record(let line): record = line
            case .ask(let octets, let server, let transport, let exchange):
                asked.append(
                    Asked(message: try Message(octets.span), server: server, transport: transport, exchange: exchange))
            case .close(let exchange): asked.removeAll { $0.exchange == exchange }
            }
        }
    }

    // MARK: Forwarders

    /// asks: SERVER [+tcp] [+noedns] NAME TYPE, or none
    private func checkAsked(_ block: ScenarioFile.Block) throws {
        try expect(
            asked.first.map { asked in
                let question = asked.message.questions[0]
                let options = [
                    asked.transport == .tcp ? "+tcp " : "", asked.message.edns == nil ? "+noedns " : "",
                    asked.message.edns?.dnssecOK == true ? "+do " : "",
                    asked.message.flags.contains(.checkingDisabled) ? "+cd " : "",
                ].joined()
                let name = String(question.name.description.dropLast()).lowercased()
                return "\(asked.server.address) \(options)\(name) \(question.type)"
            } ?? "none", block)
    }

    /// tells: [options] RCODE, with the answer section below, and the authority section behind a line "authority:".
    private mutating func tell(_ block: ScenarioFile.Block) throws {
        guard let asked = asked.first else { throw file.failure(block.line, "nobody was asked") }
        var sender = asked.server
        var message = Message(id: asked.message.id, flags: .response, questions: asked.message.questions)
        message.edns = asked.message.edns
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
                guard let code = ResponseCode(word) else { throw file.failure(block.line, "unknown word \(word)") }
                message.responseCode = code
            }
        }
        var isAuthority = false
        for line in block.body {
            if line.text == "authority" {
                isAuthority = true
            } else if isAuthority {
                message.authority.append(try file.record(line))
            } else {
                message.answer.append(try file.record(line))
            }
        }
        let octets = message.encoded()
        var actions: [Resolver.Action] = []
        resolver.receive(
            fromForwarder: octets.span, from: sender, exchange: asked.exchange, at: now, into: &actions)
        try take(actions, block)
    }

    // MARK: Checking

    /// reply: RCODE flags…, with the answer section below.
    private func check(_ block: ScenarioFile.Block) throws {
        if block.argument == "wrong id" {
            guard reply != nil, !replyIdentifierIsRight else {
                throw file.failure(block.line, "the identifier is right")
            }
            return
        }
        if block.argument == "none" {
            guard reply == nil else { throw file.failure(block.line, "there is a reply") }
            return
        }
        let message = try received(block)
        try expect("\(message.responseCode) \(message.flags)", block)
        try compare(message.answer, block)
    }

    private func received(_ block: ScenarioFile.Block) throws -> Message {
        guard let reply else { throw file.failure(block.line, "there is no reply") }
        return reply
    }

    private func evidence(_ block: ScenarioFile.Block) throws -> QueryRecord {
        guard let record else { throw file.failure(block.line, "there is no evidence") }
        return record
    }

    private func expect(_ found: @autoclosure () throws -> String, _ block: ScenarioFile.Block) throws {
        let found = try found()
        guard found == block.argument else {
            throw file.failure(block.line, "expected \(block.keyword) \"\(block.argument)\", found \"\(found)\"")
        }
    }

    /// Sections compare record by record, in order.
    private func compare(_ found: [ResourceRecord], _ block: ScenarioFile.Block) throws {
        let expected = try block.body.map { try file.record($0) }
        guard found == expected else {
            let lines = found.map { "\n    \($0)" }.joined()
            throw file.failure(block.line, "the section is different; found:\(lines.isEmpty ? " nothing" : lines)")
        }
    }
}

extension IPAddress {
    init?(_ text: String) {
        if let ipv4 = IPv4Address(text) {
            self = .ipv4(ipv4)
        } else if let ipv6 = IPv6Address(text) {
            self = .ipv6(ipv6)
        } else {
            return nil
        }
    }
}

extension String {
    fileprivate var swappedCase: String {
        String(map { $0.isLowercase ? Character($0.uppercased()) : Character($0.lowercased()) })
    }
}
