// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// A look-up that follows aliases, which may lead from the store to forwarders and back (RFC 1034 §5.3.3 step 4c, RFC 6147 §5.1.5).
struct AliasChain: Sendable {
    /// The question, under the name at which the aliases start.
    let question: Question
    /// The name that they have reached.
    private(set) var name: DomainName
    /// The aliases, with their signatures.
    private(set) var records: [ResourceRecord] = []
    /// The source of the aliases that are not the store's.
    private var source: Answer.Source?

    init(_ question: Question) {
        self.question = question
        name = question.name
    }

    /// Whether any of them came from a forwarder.
    var hasForeignAliases: Bool { source != nil }

    /// The question to look up at the end of the aliases.
    var wanted: Question { Question(name: name, type: question.type, recordClass: question.recordClass) }

    /// Whether there are more aliases than are followed: probably a loop.
    var isTooLong: Bool { records.count { $0.type == .cname } > RecordStore.maximumChainLength }

    mutating func follow(_ aliases: [ResourceRecord], to target: DomainName, source: Answer.Source? = nil) {
        records += aliases
        name = target
        self.source = self.source ?? source
    }

    /// The answer with the aliases that led to it. Its source is the forwarder if one of them is from there: the store's own never age.
    func leading(to answer: Answer) -> Answer {
        if records.isEmpty { return answer }
        var whole = answer
        whole.answer = records + answer.answer
        if let source, answer.source == .world || answer.source == .specialUse { whole.source = source }
        return whole
    }
}

extension Answer {
    /// The aliases of a forwarder's answer that lead from `name` to one that another server must be asked for: to one of our own, or to one
    /// for which the answer has neither data nor a SOA record that denies them.
    func openAliases(from name: DomainName, isOwn: (DomainName) -> Bool) -> (
        aliases: [ResourceRecord], target: DomainName
    )? {
        var (owner, target) = (name, name)
        var end = 0
        for (index, record) in answer.enumerated() {
            switch record.data {
            case .cname(let next) where record.name == target:
                if end > 0, isOwn(target) { return (Array(answer[..<end]), target) }
                (owner, target) = (target, next)
                end = index + 1
            case .other where record.coveredType == .cname && record.name == owner && end > 0:
                end = index + 1
            default: break
            }
        }
        guard end > 0 else { return nil }
        let hasEnd = end < answer.count || responseCode != .noError || authority.contains { $0.type == .soa }
        return isOwn(target) || !hasEnd ? (Array(answer[..<end]), target) : nil
    }

    /// The name at the end of the aliases in an answer to `name`.
    func end(of name: DomainName) -> DomainName {
        var target = name
        for record in answer {
            if case .cname(let next) = record.data, record.name == target { target = next }
        }
        return target
    }
}
