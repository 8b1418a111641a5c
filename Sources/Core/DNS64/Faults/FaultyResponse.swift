// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

extension Fault.Effect {
    /// Whether it changes the answer of a reply.
    func replacesAnswer(over transport: Transport) -> Bool {
        switch self {
        case .responseCode, .answer, .mappedAAAA, .aliasLoop, .drop: true
        case .truncate: transport == .udp
        case .delay, .wrongIdentifier, .ttl, .extendedError: false
        }
    }
}

extension Message {
    /// Applies the effects to the contents. Dropping and delaying are done elsewhere.
    /// - Parameter sources: The IPv4 addresses that the answer was synthesised from.
    mutating func apply(_ effects: [Fault.Effect], over transport: Transport, sources: [IPv4Address]) {
        for effect in effects {
            switch effect {
            case .responseCode(let code):
                responseCode = code
                empty()
            case .truncate where transport == .udp:
                flags.insert(.truncated)
                empty()
            case .wrongIdentifier: id = ~id
            case .answer(let data): replaceAnswer(with: data)
            case .mappedAAAA: replaceAnswer(with: sources.map(Self.mapped))
            case .aliasLoop: replaceAnswer(with: questions.map { .cname($0.name) })
            case .ttl(let seconds):
                for index in answer.indices { answer[index].ttl = seconds }
                for index in authority.indices { authority[index].ttl = seconds }
            case .extendedError(let error): edns?.options.append(error.option)
            case .drop, .delay, .truncate: break
            }
        }
    }

    private mutating func empty() {
        answer = []
        authority = []
        additional = []
    }

    private mutating func replaceAnswer(with data: [RecordData]) {
        guard let question = questions.first else { return }
        empty()
        responseCode = .noError
        flags.remove(.authenticData)
        answer = data.map { ResourceRecord(name: question.name, ttl: Self.faultyTTL, data: $0) }
    }

    /// Long enough to be used, short enough to have expired at the next try.
    private static let faultyTTL: UInt32 = 60

    private static func mapped(_ address: IPv4Address) -> RecordData {
        .aaaa(IPv6Address(bits: 0xffff << 32 | UInt128(address.bits)))
    }
}
