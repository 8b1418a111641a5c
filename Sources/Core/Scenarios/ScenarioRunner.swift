// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Wire

/// Runs a scenario against a server.
package struct ScenarioRunner<Server: ScenarioServer> {
    private static var identifier: UInt16 { 0x1092 }
    private let file: ScenarioFile
    private var server: Server
    private var reply: Message?
    private var replyIdentifierIsRight = true
    private var outcome = Outcome()

    /// The result of a scenario that passed.
    package struct Outcome: Hashable, Sendable {
        /// The number of expectations that were met.
        package var checks = 0
        /// The number of expectations about evidence that the server does not show.
        package var unseen = 0
    }

    package init(_ file: ScenarioFile, against server: Server) {
        self.file = file
        self.server = server
    }

    package mutating func run() throws -> Outcome {
        for block in file.blocks {
            switch block.keyword {
            case "title", "network", "world", "forwarders", "faults": break
            case "query": try ask(block)
            case "reply": try check(block)
            case "authority": try compare(try received(block).authority, block)
            case "additional": try compare(try received(block).additional, block)
            case "ede":
                try expect(
                    (try received(block).edns?.extendedErrors ?? []).map { "\($0.infoCode)" }.joined(separator: " "),
                    block)
            case "wait":
                guard let seconds = Int(block.argument) else {
                    throw file.failure(block.line, "not a number of seconds")
                }
                try take(server.wait(.seconds(seconds)))
            case "asks": try checkAsked(block)
            case "tells": try tell(block)
            case "rule", "source", "from", "why", "faults-shown": try checkEvidence(block)
            default: throw file.failure(block.line, "unknown keyword \"\(block.keyword)\"")
            }
        }
        return outcome
    }

    // MARK: Asking

    private mutating func ask(_ block: ScenarioFile.Block) throws {
        let query = try file.query(block, id: Self.identifier)
        reply = nil
        try take(server.ask(query.message.encoded(), from: query.client, over: query.transport))
    }

    private mutating func take(_ octets: [UInt8]?) throws {
        guard let octets else { return }
        let message = try Message(octets.span)
        reply = message
        replyIdentifierIsRight = message.id == Self.identifier
    }

    // MARK: Forwarders

    /// asks: SERVER [+tcp] [+noedns] NAME TYPE, or none
    private mutating func checkAsked(_ block: ScenarioFile.Block) throws {
        guard let asked = try server.asked else { return try expect("none", block) }
        let message = try Message(asked.octets.span)
        let options = [
            asked.transport == .tcp ? "+tcp " : "", message.edns == nil ? "+noedns " : "",
            message.edns?.dnssecOK == true ? "+do " : "", message.flags.contains(.checkingDisabled) ? "+cd " : "",
        ].joined()
        let name = String(message.questions[0].name.description.dropLast()).lowercased()
        try expect("\(asked.server.address) \(options)\(name) \(message.questions[0].type)", block)
    }

    private mutating func tell(_ block: ScenarioFile.Block) throws {
        guard let asked = try server.asked else { throw file.failure(block.line, "no server was asked") }
        let told = try file.answer(block, to: try Message(asked.octets.span), from: asked.server)
        try take(server.tell(told.message.encoded(), from: told.sender))
    }

    // MARK: Checking

    /// reply: RCODE flags…, with the answer section below.
    private mutating func check(_ block: ScenarioFile.Block) throws {
        switch block.argument {
        case "wrong id":
            guard reply != nil, !replyIdentifierIsRight else {
                throw file.failure(block.line, "the identifier is right")
            }
            outcome.checks += 1
        case "none":
            guard reply == nil else { throw file.failure(block.line, "there is a reply") }
            outcome.checks += 1
        default:
            let message = try received(block)
            try expect("\(message.responseCode) \(message.flags)", block)
            try compare(message.answer, block)
        }
    }

    private mutating func checkEvidence(_ block: ScenarioFile.Block) throws {
        guard server.showsEvidence else {
            outcome.unseen += 1
            return
        }
        guard let record = server.record else { throw file.failure(block.line, "there is no evidence") }
        switch block.keyword {
        case "rule": try expect("\(record.rule)", block)
        case "source": try expect("\(record.source)", block)
        case "why": try expect(record.reason?.description ?? "", block)
        case "from": try expect(record.synthesisedFrom.map(\.description).joined(separator: " "), block)
        default: try expect(record.faults.map(\.description).joined(separator: "; "), block)
        }
    }

    private func received(_ block: ScenarioFile.Block) throws -> Message {
        guard let reply else { throw file.failure(block.line, "there is no reply") }
        return reply
    }

    private mutating func expect(_ found: String, _ block: ScenarioFile.Block) throws {
        guard found == block.argument else {
            throw file.failure(block.line, "expected \(block.keyword) \"\(block.argument)\", found \"\(found)\"")
        }
        outcome.checks += 1
    }

    /// Sections compare record by record, in order.
    private mutating func compare(_ found: [ResourceRecord], _ block: ScenarioFile.Block) throws {
        let expected = try block.body.map { try file.record($0) }
        guard found == expected else {
            let lines = found.map { "\n    \($0)" }.joined()
            throw file.failure(block.line, "the section is different; found:\(lines.isEmpty ? " nothing" : lines)")
        }
        outcome.checks += 1
    }
}

extension ScenarioFile {
    /// Runs it in this process.
    @discardableResult
    package func play() throws -> ScenarioRunner<ResolverInProcess>.Outcome {
        var runner = ScenarioRunner(self, against: ResolverInProcess(try configuration()))
        return try runner.run()
    }
}
