// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import NIOCore
import Synchronization
import Wire

/// What the world's own resolvers tell: its records as they are, and nothing that only a forwarder would know. They synthesise nothing, as
/// public resolvers do not, whatever network their clients are on.
///
/// One for all services; what each client asks of it stands in the log. Any thread may call.
final class PublicResolver: Sendable {
    private let resolver: Mutex<Resolver>
    private let log: ConnectionLog
    private let now: @Sendable () -> Instant

    /// Replies that are remembered: the names of a world are few.
    private static let cachedReplies = 1024
    /// RFC 8467 §4.1
    private static let paddedBlock = 468

    init(_ records: RecordStore, log: ConnectionLog, now: @escaping @Sendable () -> Instant) {
        var configuration = ResolverConfiguration(store: records, networks: [ServedNetwork(policy: .plain)])
        configuration.cacheCapacity = Self.cachedReplies
        // Without forwarders there is nothing to be drawn, and every query is answered at once.
        resolver = Mutex(Resolver(configuration, random: SystemRandomNumberGenerator()))
        self.log = log
        self.now = now
    }

    /// Replaces what it knows; holds from the next query on.
    func know(_ records: RecordStore) {
        resolver.withLock { $0.know(records) }
    }

    /// - Parameter message: as it came, whatever it is.
    /// - Returns: `nil` if there is no reply to it, because it is no query.
    func reply(to message: [UInt8], _ asker: ResolverClient, over carrier: ServedQuery.Carrier) -> [UInt8]? {
        resolve(message, asker, over: carrier).map { padded($0, for: message) }
    }

    /// RFC 7830 §4: to a query with padding, a reply with padding. All that may carry it is encrypted (§6).
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
            // All that it is carried over is as reliable as TCP, and has room for as much.
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

    /// As HTTPDNS tells them: the addresses of a name in one family, and for how many seconds they hold: the least TTL of theirs and of the aliases' that
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

    /// For one of the world's own, which is nobody's question.
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

/// Who asks one of the world's resolvers, and where.
struct ResolverClient: Sendable {
    let client: Endpoint
    let service: ServiceEnd

    /// `nil` if the connection has ended: nobody would get an answer.
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
