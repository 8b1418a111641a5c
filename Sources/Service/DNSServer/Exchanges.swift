// SPDX-License-Identifier: Apache-2.0
import DNS64
import LinuxNet
import Wire

/// The resolver's questions to others: over a socket, until the resolver ends them, or to the validator.
struct Exchanges: ~Copyable {
    /// The n-th socket has the token firstToken + n: an event for one that an earlier event of the same round closed is ignored.
    static let firstToken: UInt64 = 1 << 62

    private enum Exchange {
        case datagram(UpstreamSocket)
        case stream(DNSStreamExchange, token: UInt64)
    }

    private let interests: InterestList
    private let validator: Validator?
    private var exchanges: [UInt64: Exchange] = [:]
    private var sockets: UpstreamSockets
    /// The exchanges of TCP, by the tokens of their sockets.
    private var streams: [UInt64: UInt64] = [:]
    private var nextToken = firstToken
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// - Parameter token: for the validator.
    init(
        _ interests: InterestList, validator: Validator?, token: UInt64, sockets: consuming UpstreamSockets
    ) throws(SystemError) {
        self.sockets = sockets
        self.interests = interests
        self.validator = validator
        if let validator { try interests.add(validator.descriptor, .readable, token: token) }
    }

    /// False if the question cannot be asked.
    mutating func start(
        _ number: UInt64, _ message: [UInt8], _ server: UpstreamServer, _ transport: Transport
    ) -> Bool {
        switch server {
        case .validator:
            return validator?.ask(message, exchange: number) ?? false
        case .forwarder(let endpoint):
            do throws(SystemError) {
                try start(number, message, SocketAddress(endpoint), transport, at: MonotonicClock.now())
                return true
            } catch {
                return false
            }
        }
    }

    private mutating func start(
        _ number: UInt64, _ message: [UInt8], _ address: SocketAddress, _ transport: Transport, at now: Instant
    ) throws(SystemError) {
        let token = nextToken
        switch transport {
        case .udp:
            let (upstream, isNew) = try sockets.ask(
                message.span, for: number, to: address, token: token, at: now)
            if isNew {
                nextToken += 1
                do throws(SystemError) {
                    try interests.add(upstream.socket.descriptor, .readable, token: token)
                } catch {
                    sockets.discard(upstream)
                    throw error
                }
            }
            exchanges[number] = .datagram(upstream)
        case .tcp:
            let exchange = DNSStreamExchange(
                try StreamSocket.connect(to: address), server: address, question: message)
            try interests.add(exchange.socket.descriptor, .writable, token: token)
            nextToken += 1
            exchanges[number] = .stream(exchange, token: token)
            streams[token] = number
        }
    }

    mutating func close(_ number: UInt64, at now: Instant) {
        switch exchanges.removeValue(forKey: number) {
        case .datagram(let upstream):
            sockets.giveBack(upstream, at: now)
        case .stream(_, let token): streams[token] = nil
        case nil: validator?.forget(number)
        }
    }

    var nextDeadline: Instant? { sockets.nextDeadline }

    mutating func advance(to now: Instant) { sockets.closeExpired(now) }

    // MARK: - Replies

    /// Takes the validator's results. The resolver's actions are for the end of the round.
    func takeValidated(for resolver: inout Resolver, into actions: inout [Resolver.Action]) {
        for answer in validator?.answers() ?? [] {
            resolver.receive(
                fromForwarder: answer.octets.span, from: .validator, exchange: answer.exchange,
                at: MonotonicClock.now(), into: &actions)
        }
    }

    /// Handles an event of a socket.
    mutating func proceed(
        _ event: Epoll.Event, for resolver: inout Resolver, into actions: inout [Resolver.Action]
    ) {
        if let upstream = sockets[event.token] {
            guard let number = upstream.exchange else { return sockets.discard(upstream) }
            receive(upstream, number, for: &resolver, into: &actions)
        } else if let number = streams[event.token], case .stream(let exchange, _)? = exchanges[number] {
            proceed(exchange, number, event, for: &resolver, into: &actions)
        }
    }

    /// Receives one datagram; if there are more, the next round has another event.
    private mutating func receive(
        _ upstream: UpstreamSocket, _ number: UInt64, for resolver: inout Resolver,
        into actions: inout [Resolver.Action]
    ) {
        let (length, sender): (Int, SocketAddress)
        var target = buffer.mutableSpan
        switch upstream.socket.take(into: &target) {
        // A socket has its port before it is connected: until then it receives datagrams from any sender (RFC 5452 §9.1).
        case .datagram(let octets, let peer?): (length, sender) = (octets, peer)
        case .datagram(_, nil), .wouldBlock: return
        // Nothing listens on the server's port.
        case .error: return resolver.fail(exchange: number, at: MonotonicClock.now(), into: &actions)
        }
        let known = actions.count
        resolver.receive(
            fromForwarder: buffer.span.extracting(first: length), from: .forwarder(Endpoint(sender)),
            exchange: number, at: MonotonicClock.now(), into: &actions)
        for case .close(number) in actions[known...] { upstream.isAnswered = true }
    }

    private mutating func proceed(
        _ exchange: DNSStreamExchange, _ number: UInt64, _ event: Epoll.Event,
        for resolver: inout Resolver, into actions: inout [Resolver.Action]
    ) {
        let progress = event.readiness.contains(.writable) ? exchange.write() : exchange.read(through: &buffer)
        let now = MonotonicClock.now()
        switch progress {
        case .waiting: break
        case .asked:
            if (try? interests.modify(exchange.socket.descriptor, .readable, token: event.token)) == nil {
                resolver.fail(exchange: number, at: now, into: &actions)
            }
        case .failed: resolver.fail(exchange: number, at: now, into: &actions)
        case .hungUp: resolver.fail(exchange: number, .hungUp, at: now, into: &actions)
        case .answered(let message):
            resolver.receive(
                fromForwarder: message.span, from: .forwarder(Endpoint(exchange.server)), exchange: number, at: now,
                into: &actions)
        }
    }
}
