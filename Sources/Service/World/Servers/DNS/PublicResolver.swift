// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import NIOCore
import Synchronization
import Wire

/// The world's own resolvers. They return its records unchanged, and nothing that only a forwarder would know. They synthesise
/// nothing, as public resolvers do not, whatever network their clients are on.
///
/// One instance serves all services; the log has each client's questions. Thread-safe.
final class PublicResolver: Sendable {
    private let resolver: Mutex<Resolver>
    private let log: ConnectionLog
    private let now: @Sendable () -> Instant

    /// Maximum cached replies: a world has few names.
    private static let cachedReplies = 1024
    /// RFC 8467 §4.1
    private static let paddedBlock = 468

    init(_ records: RecordStore, log: ConnectionLog, now: @escaping @Sendable () -> Instant) {
        var configuration = ResolverConfiguration(store: records, networks: [ServedNetwork(policy: .plain)])
        configuration.cacheCapacity = Self.cachedReplies
        // Without forwarders no random number is drawn, and every query is answered at once.
        resolver = Mutex(Resolver(configuration, random: SystemRandomNumberGenerator()))
        self.log = log
        self.now = now
    }

    /// Replaces the records, from the next query on.
    func know(_ records: RecordStore) {
        resolver.withLock { $0.know(records) }
    }

    /// - Parameter message: as received, valid or not.
    /// - Returns: `nil` if there is no reply, because the message is no query.
    func reply(to message: [UInt8], _ asker: ResolverClient, over carrier: ServedQuery.Carrier) -> [UInt8]? {
        resolve(message, asker, over: carrier).map { padded($0, for: message) }
    }

    /// RFC 7830 §4: a query with padding gets a reply with padding. Every carrier that allows padding is encrypted (§6).
    private func padded(_ reply: [UInt8], for query: [UInt8]) -> [UInt8] {
        guard let query = try? Message(query.span), query.isPadded, let reply = try? Message(reply.span) else {
            return reply
        }
        return reply.encoded(paddedToMultipleOf: Self.paddedBlock)
    }

    private func resolve(_ message: [UInt8], _ asker: ResolverClient, over carrier: ServedQuery.Carrier) -> [UInt8]? {
        let now = now()
        let actions = resolver.withLock { resolver in
            var actions: [Resolver.Action] = []
            // Every carrier is as reliable as TCP, and has room for as many octets.
            resolver.receive(message.span, from: asker.client, over: .tcp, ticket: 0, at: now, into: &actions)
            return actions
        }
        var reply: [UInt8]?
        for action in actions {
            switch action {
            case .reply(let octets, _): reply = octets
            case .record(let record):
                guard let question = record.question, let code = record.responseCode else { continue }
                let addresses = record.answer.filter { $0.type == question.type }.compactMap(\.data.address)
                log.add(asker.query(question, over: carrier, code, addresses), of: asker.client.address)
            case .forget, .ask, .close: break
            }
        }
        return reply
    }

    /// The addresses of a name in one family for HTTPDNS, and their TTL in seconds: the smallest of theirs and of the aliases' that
    /// lead to them. `nil` if there are none.
    func addresses(of name: DomainName, _ type: RecordType, _ asker: ResolverClient) -> (
        addresses: [IPAddress], ttl: UInt32
    )? {
        let question = Question(name: name, type: type)
        let answer = answer(to: question)
        let addresses = answer.answer.filter { $0.type == type }.compactMap(\.data.address)
        log.add(asker.query(question, over: .httpDNS, answer.responseCode, addresses), of: asker.client.address)
        guard !addresses.isEmpty, let ttl = answer.answer.map(\.ttl).min() else { return nil }
        return (addresses, ttl)
    }

    /// The addresses of a name for one of the world's own servers. It is not a client's question, so it is not logged.
    func addresses(of name: DomainName, _ type: RecordType) -> [IPAddress] {
        answer(to: Question(name: name, type: type)).answer.filter { $0.type == type }.compactMap(\.data.address)
    }

    private func answer(to question: Question) -> Answer {
        guard case .complete(let answer) = resolver.withLock({ $0.configuration.store.lookUp(question) }) else {
            return Answer(.refused, source: .none)
        }
        return answer
    }
}

/// A client that asks one of the world's resolvers, and the service that it asks.
struct ResolverClient: Sendable {
    let client: Endpoint
    let service: ServiceEnd

    /// `nil` if the connection has ended, so that no answer could be delivered.
    init?(_ channel: any Channel, at service: ServiceEnd) {
        guard let peer = channel.remoteAddress, let address = IPAddress(socketAddress: peer),
            let port = peer.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        client = Endpoint(address, port: port)
        self.service = service
    }

    fileprivate func query(
        _ question: Question, over carrier: ServedQuery.Carrier, _ code: ResponseCode, _ addresses: [IPAddress]
    ) -> ServedQuery {
        ServedQuery(
            address: service.address, port: service.port, carrier: carrier, question: question, responseCode: code,
            addresses: Array(addresses.prefix(ConnectionLog.Limits.addresses)))
    }
}
