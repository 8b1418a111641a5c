// SPDX-License-Identifier: Apache-2.0
import DNS64
import LinuxNet
import Topology
import Wire

/// The state of the server's thread: it feeds the resolver with the sockets' input, and performs its actions.
///
/// Theory of operation. Sockets are bound in `init`, and closed when this is deinitialised. A token names a port by its index, a
/// connection by its number, or a socket of the exchanges (`Exchanges.firstToken`). A query's ticket is the key of its reply path,
/// which is kept only if the reply does not come at once.
struct DNSLoop: ~Copyable {
    private enum Token {
        /// Port n has the tokens 2n (UDP) and 2n + 1 (TCP).
        static func port(_ index: Int) -> UInt64 { 2 * UInt64(index) }
        static let validator = LoopThread<DNSLoop>.ownToken - 1
    }

    private let ports: [DNSPort]
    private let batches: DNSBatches
    private let served: [SocketAddress]
    private var resolver: Resolver
    private var paths = ReplyPaths()
    private var connections: Connections
    private var exchanges: Exchanges
    private var publishing: Publishing
    private let board: DNSBoard
    private var buffer = [UInt8](repeating: 0, count: octetsPerTurn)
    /// The latest known reply, in an array that is reused for all.
    private var reply: [UInt8] = []
    private var spareActions: [Resolver.Action] = []
    /// Actions that follow from answers of other servers in this round, or from questions that could not be asked. They are performed
    /// at the end of the round, so that replies to many clients are sent together.
    private var dueActions: [Resolver.Action] = []

    /// Octets that are read from a connection before other sockets have their turn; the limit for datagrams is one batch. It bounds
    /// how long a client that asks without end, whose queries come to sockets of its own link, delays the others.
    private static let octetsPerTurn = 1024

    init(
        _ configuration: ResolverConfiguration, addresses: [SocketAddress], interfaces: [Int], limits: ServiceLimits,
        validator: Validator?, board: DNSBoard, _ interests: InterestList
    ) throws(SystemError) {
        var configuration = configuration
        configuration.largestUDPResponse = min(configuration.largestUDPResponse, DNSPort.maximumDatagramLength)
        let batches = DNSBatches()
        var ports: [DNSPort] = []
        // Each interface has queues of its own: a client that fills those of its link takes no other client's room.
        for interface in interfaces.isEmpty ? [nil] : interfaces.map(Optional.init) {
            for address in addresses {
                let token = Token.port(ports.count)
                ports.append(
                    try DNSPort.open(
                        address, interface: interface, advance: limits.advance, batches, interests, token: token))
            }
        }
        let served = ports.prefix(addresses.count).map(\.address)
        exchanges = try Exchanges(
            interests, validator: validator, token: Token.validator,
            sockets: UpstreamSockets(servers: configuration.forwarders?.servers.count ?? 0))
        self.ports = ports
        self.batches = batches
        self.served = served
        self.board = board
        connections = Connections(limits, interests, board)
        publishing = Publishing(board)
        resolver = Resolver(configuration, random: SystemRandomness())
    }

    /// The addresses on which it listens.
    var addresses: [SocketAddress] { served }

    /// Takes over the networks and faults on the board, from the next query on.
    mutating func takeChanges() {
        resolver.serve(board.networks)
        let faults = board.faults
        if faults != resolver.configuration.faults {
            resolver.misbehave(faults)
            publishing.faultsHaveChanged()
        }
    }

    /// Closes the connections of a client that has left.
    mutating func disconnect(_ addresses: [IPAddress]) {
        for owner in Set(addresses.map { ServedClient($0) }) { connections.close(allOf: owner) }
    }

    mutating func know(_ store: RecordStore) { resolver.know(store) }

    // MARK: - Datagrams

    private mutating func answerDatagrams(_ port: DNSPort, _ batches: DNSBatches) {
        guard let count = port.receive() else { return }
        let now = MonotonicClock.now()
        for index in 0..<count {
            guard let peer = batches.queries.peer(index) else { continue }
            let (query, client) = (batches.queries.bytes(index), Endpoint(peer))
            let local = batches.queries.local(index)
            if let known = resolver.knownReply(to: query, from: client, over: .udp, at: now) {
                resolver.write(known, to: &reply)
                port.append(reply, to: peer, from: local)
                publishing.keep(resolver.record(of: known, from: client, at: now))
                continue
            }
            let outcome = answer(
                query, from: client, over: .udp, at: now, path: .datagram(port, peer: peer, local: local))
            if case .reply(let reply) = outcome { port.append(reply, to: peer, from: local) }
        }
        publishRecords()
        port.sendReplies()
    }

    // MARK: - Connections

    private mutating func serve(_ number: UInt64, _ readiness: Epoll.Readiness) {
        guard let connection = connections[number] else { return }
        connection.turns.take { serve(connection, number, readiness) }
    }

    private mutating func serve(_ connection: DNSConnection, _ number: UInt64, _ readiness: Epoll.Readiness) {
        guard connection.write(), connections.reads(connection) ? connection.read(through: &buffer) : true
        else { return connections.close(number) }
        let now = MonotonicClock.now()
        while let query = connections.nextQuery(connection, now) {
            let path = ReplyPath.connection(number)
            switch answer(query.span, from: connection.client, over: .tcp, at: now, path: path) {
            case .reply(let reply): connection.append(reply)
            case .silence: connection.unanswered -= 1
            case .later: break
            }
            if connections.takesQueries(connection) { continue }
            publishRecords()
            if !connection.write() { break }
        }
        publishRecords()
        // Nothing more can be written to a peer that has hung up.
        guard connection.write(), !connection.isDone, !readiness.contains(.hangUp) else {
            return connections.close(number)
        }
        connections.watch(connection, number)
    }

    // MARK: - Queries and actions

    /// The outcome of a query.
    private enum Outcome {
        case reply([UInt8])
        /// No reply is sent.
        case silence
        /// The reply will take the given path.
        case later
    }

    /// Gives one query to the resolver. A reply that comes later takes `path`.
    private mutating func answer(
        _ query: Span<UInt8>, from client: Endpoint, over transport: Transport, at now: Instant, path: ReplyPath
    ) -> Outcome {
        let ticket = paths.nextTicket()
        // The array is reused for the next query, so that none of them allocates one.
        var actions = spareActions
        spareActions = []
        switch transport {
        // A known reply was looked for already.
        case .udp: resolver.receive(new: query, from: client, over: .udp, ticket: ticket, at: now, into: &actions)
        case .tcp: resolver.receive(query, from: client, over: .tcp, ticket: ticket, at: now, into: &actions)
        }
        var outcome = Outcome.later
        for action in actions {
            switch action {
            case .reply(let message, ticket): outcome = .reply(message)
            case .forget(ticket): outcome = .silence
            default: continue
            }
        }
        // Kept before anything is asked: a question that cannot be asked is answered soon.
        if case .later = outcome { paths.keep(path, for: ticket) }
        for action in actions {
            switch action {
            case .reply(_, ticket), .forget(ticket): continue
            default: perform(action)
            }
        }
        actions.removeAll(keepingCapacity: true)
        spareActions = actions
        return outcome
    }

    /// Performs the actions that no current query waits for: the records before the replies. A question that cannot be asked causes
    /// further actions, until the attempts are used up.
    private mutating func performDue() {
        while !dueActions.isEmpty {
            var actions = dueActions
            dueActions = []
            for case .record(let record) in actions { publishing.keep(record) }
            publishRecords()
            for action in actions {
                if case .record = action { continue }
                perform(action)
            }
            actions.removeAll(keepingCapacity: true)
            guard dueActions.isEmpty else { continue }
            dueActions = actions
            break
        }
        for port in ports { port.sendLateReplies() }
    }

    private mutating func perform(_ action: Resolver.Action) {
        switch action {
        case .reply(let message, let ticket):
            switch paths.take(ticket) {
            case .datagram(let port, let peer, let local): port.appendLate(message, to: peer, from: local)
            case .connection(let number): connections.replyLate(message, number)
            case nil: break
            }
        case .forget(let ticket):
            if case .connection(let number) = paths.take(ticket) { connections.giveUp(number) }
        case .record(let record):
            publishing.keep(record)
        case .ask(let message, let server, let transport, let exchange):
            if exchanges.start(exchange, message, server, transport) { break }
            resolver.fail(exchange: exchange, at: MonotonicClock.now(), into: &dueActions)
        case .close(let exchange):
            exchanges.close(exchange, at: MonotonicClock.now())
        }
    }

    private mutating func publish() { publishing.publish(resolver, connections.counts) }

    /// To be called before replies are sent.
    private mutating func publishRecords() {
        if publishing.hasRecords { publish() }
    }
}

// MARK: - The rounds

extension DNSLoop: LoopState {
    var nextDeadline: Instant? {
        var deadline = Instant.earlier(connections.nextDeadline, exchanges.nextDeadline)
        deadline = .earlier(deadline, resolver.nextDeadline)
        for port in ports { deadline = .earlier(deadline, port.nextDeadline) }
        return deadline
    }

    mutating func handle(_ event: Epoll.Event) {
        switch event.token {
        case Token.validator:
            exchanges.takeValidated(for: &resolver, into: &dueActions)
        case Exchanges.firstToken...:
            exchanges.proceed(event, for: &resolver, into: &dueActions)
        case Connections.firstNumber...:
            serve(event.token, event.readiness)
        default:
            let (index, isStream) = event.token.quotientAndRemainder(dividingBy: 2)
            let port = ports[Int(index)]
            if isStream == 1 { connections.accept(at: port) } else { port.takeTurn { answerDatagrams(port, batches) } }
        }
    }

    mutating func advance() {
        let now = MonotonicClock.now()
        connections.closeIdle(now)
        for port in ports where port.resume(now) { connections.resume(port.turns) }
        exchanges.advance(to: now)
        if let deadline = resolver.nextDeadline, deadline <= now { resolver.advance(to: now, into: &dueActions) }
        if !dueActions.isEmpty { performDue() }
        publish()
    }
}
