// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// One message to a forwarder, and the check of its response, which is accepted only if everything in it matches.
struct ForwardedQuery: Sendable {
    let server: UpstreamServer
    let transport: Transport
    /// The question as the client asked it.
    let question: Question
    /// The name as it was sent.
    let sentName: DomainName
    let id: UInt16
    let hasEDNS: Bool
    let dnssecOK: Bool
    let checkingDisabled: Bool

    /// The meaning of a message from the server.
    enum Verdict {
        /// Not an answer to this query: a late one, or a forgery. The right one may still come.
        case foreign
        case answer(Answer)
        /// Does not fit into a datagram, or has another letter case than the query: to be asked again over TCP, where no attacker can
        /// forge.
        case askOverTCP
        /// The server does not know EDNS (RFC 6891 §6.2.6… §7).
        case askWithoutEDNS
        /// This server has no answer; another one may have.
        case failure(Answer)
    }

    var encoded: [UInt8] {
        var message = Message(
            id: id, flags: .recursionDesired,
            questions: [Question(name: sentName, type: question.type, recordClass: question.recordClass)])
        if checkingDisabled { message.flags.insert(.checkingDisabled) }
        if hasEDNS { message.edns = EDNS(dnssecOK: dnssecOK) }
        return message.encoded()
    }

    func judge(_ octets: Span<UInt8>, from sender: UpstreamServer) -> Verdict {
        guard sender == server, let message = try? Message(octets), message.flags.contains(.response), message.id == id,
            message.flags.opcode == .query
        else { return .foreign }
        let isFormError = message.responseCode == .formatError || message.responseCode == .notImplemented
        if hasEDNS, isFormError, message.edns == nil { return .askWithoutEDNS }
        // RFC 5452 §9.1: the question must be the one that was asked.
        guard message.questions.count == 1, let echoed = message.questions.first,
            echoed.name == sentName, echoed.type == question.type, echoed.recordClass == question.recordClass
        else { return .foreign }
        if transport == .udp, message.flags.contains(.truncated) || !echoed.name.isIdentical(to: sentName) {
            return .askOverTCP
        }
        let answer = accept(message)
        switch message.responseCode {
        case .noError, .nameError, .nameShouldNotExist: return .answer(answer)
        default: return .failure(answer)
        }
    }

    /// The response as an answer: of the answer section, only the records that lead from the question to its data, as no others were asked
    /// for (RFC 5452 §6).
    private func accept(_ message: Message) -> Answer {
        // Leaves out records of a class that was not asked for, and restores the question's letter case in names.
        func own(_ records: [ResourceRecord]) -> [ResourceRecord] {
            records.filter { $0.recordClass == question.recordClass || question.recordClass == .any }
                .map { $0.restoringCase(of: question.name, sentAs: sentName) }
        }
        let records = own(message.answer)
        var accepted: [ResourceRecord] = []
        var name = question.name
        for _ in 0...RecordStore.maximumChainLength {
            let next = Self.step(name, question.type, in: records)
            accepted += next.records
            guard let target = next.target else { break }
            name = target
        }
        var answer = Answer(
            message.responseCode, answer: accepted,
            authority: own(message.authority).filter { $0.type != .soa || name.isSubdomain(of: $0.name) },
            additional: own(message.additional), source: Answer.Source(server))
        if server == .validator {
            answer.isAuthentic = message.flags.contains(.authenticData)
            answer.isBogus = message.edns?.extendedErrors.contains { $0.infoCode == ExtendedError.bogus } ?? false
        }
        return answer
    }

    /// The records of `name`, and the name to which they lead.
    private static func step(
        _ name: DomainName, _ type: RecordType, in records: [ResourceRecord]
    ) -> (records: [ResourceRecord], target: DomainName?) {
        // In the question's letter case: names derived from the sent name have the case of that.
        let own = records.filter { $0.name == name }.map { record in
            var record = record
            record.name = name
            return record
        }
        let data = own.filter { type == .any || $0.type == type || $0.coveredType == type }
        if data.contains(where: { $0.coveredType == nil }) || type == .cname { return (data, nil) }
        // RFC 6672 §3.1: a DNAME precedes the CNAME that is synthesised from it.
        let redirections = records.filter {
            ($0.type == .dname || $0.coveredType == .dname) && name != $0.name && name.isSubdomain(of: $0.name)
        }
        var aliases = own.filter { $0.type == .cname || $0.coveredType == .cname }
        for index in aliases.indices {
            guard case .cname(var target) = aliases[index].data else { continue }
            for redirection in redirections {
                guard case .dname(let replacement) = redirection.data,
                    let made = try? name.replacing(suffix: redirection.name, with: replacement)
                else { continue }
                if made == target { target = made }
            }
            aliases[index].data = .cname(target)
            return (redirections + aliases, target)
        }
        return ([], nil)
    }
}
