// SPDX-License-Identifier: Apache-2.0
import CUnbound
package import DNS64
import DNSWire
import LinuxNet
import Wire

/// libunbound, which validates for the DNS service.
///
/// Theory of operation. libunbound resolves by itself, so it gets a server to ask that has the service's data: a second service on
/// the loopback, with the same records and forwarders and without DNS64. The service's loop asks, watches the descriptor and takes
/// the results; libunbound works on a thread of its own, so nothing blocks here.
@safe
package final class Validator {
    /// A server of the service's data, unvalidated.
    private let source: DNSService
    private let library: OpaquePointer
    /// Questions under way, by the numbers of their exchanges.
    private var questions: [UInt64: Message] = [:]

    /// An answer, as the validator would have sent it.
    struct Answer {
        var exchange: UInt64
        var octets: [UInt8]
    }

    /// Loads the library and the files that it reads into memory, for a process that is about to give up access to them. Errors are
    /// reported by `init`.
    package static func load() {
        var message: UnsafePointer<CChar>?
        if let library = unsafe cunbound_open(&message) { unsafe cunbound_close(library) }
    }

    /// `nil` if the configuration wants no validation.
    package init?(for configuration: ResolverConfiguration) throws(ValidatorError) {
        guard let validation = configuration.validation else { return nil }
        var plain = configuration
        plain.validation = nil
        plain.faults = []
        plain.networks = [ServedNetwork(policy: .plain)]
        // It is the only client.
        plain.maximumPendingPerClient = plain.maximumPending
        do throws(SystemError) {
            source = try DNSService(plain, listeningOn: [SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)])
            try source.start()
        } catch {
            throw .noSource("\(error)")
        }
        var message: UnsafePointer<CChar>?
        guard let library = unsafe cunbound_open(&message) else {
            throw .noLibrary(unsafe message.map { unsafe String(cString: $0) } ?? "")
        }
        unsafe self.library = library
        for (name, value) in Self.options where unsafe !cunbound_set_option(library, name, value) {
            throw .badOption(name)
        }
        guard unsafe cunbound_forward(library, "127.0.0.1@\(source.addresses[0].port)") else {
            throw .badOption("the forwarder")
        }
        for anchor in validation.trustAnchors where unsafe !cunbound_trust(library, "\(anchor)") {
            throw .badAnchor("\(anchor)")
        }
        // Some of the special-use names (RFC 6761) exist in a world. After this call, options cannot be set any more.
        for name in Self.namesOfWorlds { unsafe cunbound_unblock(library, name) }
    }

    private static let options = [
        ("do-not-query-localhost:", "no"), ("unblock-lan-zones:", "yes"), ("insecure-lan-zones:", "yes"),
    ]
    private static let namesOfWorlds = ["test.", "invalid.", "onion.", "home.arpa."]

    deinit {
        source.stop()
        unsafe cunbound_close(library)
    }

    var descriptor: Int32 { unsafe cunbound_descriptor(library) }

    /// False if the question cannot be asked.
    func ask(_ octets: [UInt8], exchange: UInt64) -> Bool {
        guard let query = try? Message(octets.span), let question = query.questions.first else { return false }
        let name = "\(question.name)"
        let (type, recordClass) = (question.type.rawValue, question.recordClass.rawValue)
        guard unsafe cunbound_ask(library, name, type, recordClass, exchange) else { return false }
        questions[exchange] = query
        return true
    }

    /// Drops a question whose answer is no longer needed.
    func forget(_ exchange: UInt64) { questions[exchange] = nil }

    func answers() -> [Answer] {
        unsafe cunbound_process(library)
        var answers: [Answer] = []
        var answer = unsafe cunbound_answer()
        while unsafe cunbound_take(library, &answer) {
            guard let query = unsafe questions.removeValue(forKey: answer.question) else { continue }
            let octets = unsafe Span<UInt8>(_unsafeStart: answer.octets, count: answer.length)
            let reply = unsafe Self.reply(to: query, octets, isSecure: answer.secure, isBogus: answer.bogus)
            unsafe answers.append(Answer(exchange: answer.question, octets: reply.encoded()))
        }
        return answers
    }

    /// The result in the form of a response to the query.
    private static func reply(
        to query: Message, _ octets: Span<UInt8>, isSecure: Bool, isBogus: Bool
    ) -> Message {
        var reply = Message(
            id: query.id, flags: [.response, .recursionAvailable], responseCode: .serverFailure,
            questions: query.questions, edns: EDNS(dnssecOK: query.edns?.dnssecOK ?? false))
        if isBogus {
            // RFC 4035 §5.5: "the name server MUST return RCODE 2 to the originating client".
            reply.edns?.options.append(ExtendedError(infoCode: ExtendedError.bogus).option)
            return reply
        }
        guard let found = try? Message(octets) else { return reply }
        reply.responseCode = found.responseCode
        if isSecure { reply.flags.insert(.authenticData) }
        let type = query.questions[0].type
        // RFC 4035 §3.2.1: a client that does not set DO gets no signatures and proofs unless it asked for them.
        func wanted(_ records: [ResourceRecord]) -> [ResourceRecord] {
            if query.edns?.dnssecOK == true { return records }
            return records.filter { ![.rrsig, .nsec, .nsec3].contains($0.type) || $0.type == type || type == .any }
        }
        reply.answer = wanted(found.answer)
        reply.authority = wanted(found.authority)
        return reply
    }
}

// Only the service's loop uses it once it runs.
extension Validator: @unchecked Sendable {}

/// The reason why there is no validator.
package enum ValidatorError: Error, Equatable, Sendable, CustomStringConvertible {
    case noLibrary(String)
    case noSource(String)
    case badOption(String)
    case badAnchor(String)

    package var description: String {
        switch self {
        case .noLibrary(let reason):
            "validate: true needs libunbound (\(reason)): install it (on Debian: apt-get install libunbound8), or leave it out"
        case .noSource(let reason): "the validator has no server to ask: \(reason)"
        case .badOption(let name): "this libunbound does not know \(name)"
        case .badAnchor(let record): "libunbound does not take the trust anchor \(record)"
        }
    }
}
