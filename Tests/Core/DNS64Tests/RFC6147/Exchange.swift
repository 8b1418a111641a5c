// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Translation
import Wire

/// Answers in presentation format, for tests of the state machine alone.
func answer(
    _ code: ResponseCode = .noError, _ records: [String] = [], authority: [String] = [], isAuthentic: Bool = false
) throws -> Resolution.Outcome {
    .answered(
        Answer(
            code, answer: try records.map { try ResourceRecord(presentation: $0, defaultTTL: 300) },
            authority: try authority.map { try ResourceRecord(presentation: $0, defaultTTL: 300) },
            isAuthentic: isAuthentic, source: .world))
}

/// One query, with what each look-up is to find, in order.
struct Exchange {
    private(set) var lookedUp: [String] = []
    private(set) var resolved: Resolution.Resolved?

    init(
        _ name: String, _ type: RecordType, policy: SynthesisPolicy = .test, recursionDesired: Bool = true,
        checkingDisabled: Bool = false, dnssecOK: Bool = false, outcomes: [Resolution.Outcome]
    ) throws {
        let query = Resolution.Query(
            Question(name: try DomainName(name), type: type), client: .ipv6(IPv6Address("2001:db8::1")!),
            recursionDesired: recursionDesired, checkingDisabled: checkingDisabled, dnssecOK: dnssecOK)
        var resolution = Resolution(query, policy: policy)
        var outcomes = outcomes[...]
        var action = resolution.start()
        while case .lookUp(let question) = action, let outcome = outcomes.popFirst() {
            lookedUp.append(question.description)
            action = resolution.receive(outcome)
        }
        if case .respond(let resolved) = action { self.resolved = resolved }
    }

    var records: [String] { resolved?.answer.answer.map(\.description) ?? [] }
    var code: ResponseCode? { resolved?.answer.responseCode }
}

extension SynthesisPolicy {
    /// One network-specific prefix.
    static let test = SynthesisPolicy(prefix: try! Pref64("2001:db8:64::/96"))
}
