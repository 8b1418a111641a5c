import DNS64
import DNSWire
import LinuxNet
import Wire

/// The service's thread: waits for sockets and time, feeds the resolver and performs its actions.
///
/// Theory of operation. Sockets are bound in `init`; `run` serves until the board says stop, and when the loop is gone so are
/// its descriptors. An epoll token names a port by its index, or a connection or exchange by its number, which is never used
/// again: an event for one that an earlier event of the same wait closed finds nothing. A query's ticket stands for its
/// reply path, which is kept only where the reply does not come at once. The record of a query is on the board before its
/// reply is sent: who has a reply finds the query in the log.
final class DNSEventLoop {
    enum Token {
        static let bell: UInt64 = 0
        static let validator = UInt64.max
        /// Port n has the tokens firstPort + 2n (UDP) and firstPort + 2n + 1 (TCP).
        static let firstPort: UInt64 = 1
        static let firstConnection: UInt64 = 1 << 32
        /// Exchange n with a forwarder has the token firstExchange + n.
        static let firstExchange: UInt64 = 1 << 62
    }

    /// The way back to a client.
    enum ReplyPath {
        case datagram(DNSPort, peer: SocketAddress, local: SocketAddress?)
        case connection(UInt64)
    }

    let addresses: [SocketAddress]
    let limits: ServiceLimits
    let ports: [DNSPort]
    let validator: Validator?
    var resolver: Resolver
    var epoll: Epoll
    var connections: [UInt64: DNSConnection] = [:]
    var nextConnection = Token.firstConnection
    var exchanges: [UInt64: DNSExchange] = [:]
    var exchangeBatch = DatagramBatch(datagramCapacity: DNSPort.longestDatagram)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var paths: [UInt64: ReplyPath] = [:]
    private var nextTicket: UInt64 = 0
    private var records: [QueryRecord] = []
    var counters = DNSCounters()
    private var published = DNSCounters()
    /// Whether the board does not know the faults yet.
    private var areFaultsNew = true
    private var spareActions: [Resolver.Action] = []
    private let board: DNSServiceBoard
    private var version = 0

    init(
        _ configuration: ResolverConfiguration, addresses: [SocketAddress], limits: ServiceLimits,
        validator: Validator?, board: DNSServiceBoard
    ) throws(SystemError) {
        var configuration = configuration
        configuration.largestUDPResponse = min(configuration.largestUDPResponse, DNSPort.longestDatagram)
        var ports: [DNSPort] = []
        for address in addresses { ports.append(try DNSPort(address)) }
        self.ports = ports
        self.addresses = ports.map(\.address)
        self.limits = limits
        self.board = board
        self.validator = validator
        resolver = Resolver(configuration, random: SystemRandomNumberGenerator())
        epoll = try Epoll()
        try epoll.add(board.bell.descriptor, .readable, token: Token.bell)
        if let validator { try epoll.add(validator.descriptor, .readable, token: Token.validator) }
        for (index, port) in ports.enumerated() {
            let token = Token.firstPort + 2 * UInt64(index)
            try epoll.add(port.datagrams.descriptor, .readable, token: token)
            try epoll.add(port.listener.descriptor, .readable, token: token + 1)
        }
    }

    func run() {
        var isLastRound = false
        repeat {
            // What had come before the stop is still dealt with.
            isLastRound = board.isStopping
            let isAwaited = board.beginRound()
            let count = epoll.wait(until: isLastRound || isAwaited ? .zero : nextDeadline)
            // Before any query: one that was sent after a change must find it.
            if let changes = board.changes(since: &version) {
                resolver.serve(changes.networks)
                if changes.faults != resolver.configuration.faults {
                    resolver.misbehave(changes.faults)
                    areFaultsNew = true
                }
            }
            for index in 0..<count { handle(epoll[index]) }
            advance()
            publish()
            board.endRound(isLast: isLastRound)
        } while !isLastRound
    }

    private var nextDeadline: Instant? {
        let deadlines = connections.values.map(\.deadline) + ports.compactMap(\.acceptsAgain)
        return (deadlines + [resolver.nextDeadline].compactMap(\.self)).min()
    }

    private func handle(_ event: Epoll.Event) {
        switch event.token {
        case Token.bell:
            board.bell.hear()
        case Token.validator:
            takeValidated()
        case Token.firstExchange...:
            handleExchange(event.token - Token.firstExchange, event.readiness)
        case Token.firstConnection...:
            handleConnection(event.token, event.readiness)
        default:
            let (index, isStream) = (event.token - Token.firstPort).quotientAndRemainder(dividingBy: 2)
            if isStream == 1 { accept(Int(index)) } else { answerDatagrams(ports[Int(index)]) }
        }
    }

    private func advance() {
        let now = MonotonicClock.now()
        closeIdleConnections(now)
        for (index, port) in ports.enumerated() { resumeAccepting(port, index, now) }
        guard let deadline = resolver.nextDeadline, deadline <= now else { return }
        var actions: [Resolver.Action] = []
        resolver.advance(to: now, into: &actions)
        perform(actions)
    }

    private func publish() {
        counters.refusals = resolver.refusals
        counters.strays = resolver.strays
        // Some refusals leave no record, and neither do connections.
        guard !records.isEmpty || counters != published || areFaultsNew else { return }
        published = counters
        areFaultsNew = false
        board.post(records, counters, resolver.faultCounts)
        records.removeAll(keepingCapacity: true)
    }

    /// To be called before replies are sent.
    func publishRecords() {
        if !records.isEmpty { publish() }
    }

    // MARK: Actions

    /// What comes of a query.
    enum Outcome {
        case reply([UInt8])
        /// Nothing is sent back.
        case silence
        /// The reply takes the path that was given.
        case later
    }

    /// Gives one query to the resolver. A reply that comes later takes `path`.
    func answer(
        _ query: Span<UInt8>, from client: Endpoint, over transport: Transport, at now: Instant, path: ReplyPath
    ) -> Outcome {
        nextTicket += 1
        let ticket = nextTicket
        // The array goes from query to query, so that none of them allocates one.
        var actions = spareActions
        spareActions = []
        resolver.receive(query, from: client, over: transport, ticket: ticket, at: now, into: &actions)
        var outcome = Outcome.later
        for action in actions {
            switch action {
            case .reply(let message, ticket): outcome = .reply(message)
            case .forget(ticket): outcome = .silence
            default: perform(action)
            }
        }
        if case .later = outcome { paths[ticket] = path }
        actions.removeAll(keepingCapacity: true)
        spareActions = actions
        return outcome
    }

    func perform(_ actions: [Resolver.Action]) {
        for case .record(let record) in actions { keep(record) }
        publishRecords()
        for action in actions {
            if case .record = action { continue }
            perform(action)
        }
    }

    private func keep(_ record: QueryRecord) {
        records.append(record)
        counters.count(record)
    }

    private func perform(_ action: Resolver.Action) {
        switch action {
        case .reply(let message, let ticket):
            if let path = paths.removeValue(forKey: ticket) { reply(message, path) }
        case .forget(let ticket):
            if case .connection(let number) = paths.removeValue(forKey: ticket) { giveUp(number) }
        case .record(let record):
            keep(record)
        case .ask(let message, let server, let transport, let exchange):
            startExchange(exchange, message, server, transport)
        case .close(let exchange):
            exchanges[exchange] = nil
            validator?.forget(exchange)
        }
    }

    private func reply(_ message: [UInt8], _ path: ReplyPath) {
        switch path {
        case .datagram(let port, let peer, let local):
            port.replies.removeAll()
            _ = port.replies.append(message.span, to: peer, from: local)
            port.datagrams.send(port.replies)
        case .connection(let number):
            replyLate(message, number)
        }
    }
}
