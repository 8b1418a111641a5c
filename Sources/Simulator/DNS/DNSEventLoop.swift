import DNS64
import DNSWire
import LinuxNet
import Wire

/// The service's thread: waits for sockets, feeds the resolver and performs its actions.
///
/// Theory of operation. Sockets are bound in `init`; `run` serves until the board says stop, and when the loop is gone so are
/// its descriptors. An epoll token names a port by its index, or a connection by its number, which is never used again:
/// an event for a connection that an earlier event of the same wait closed finds nobody.
final class DNSEventLoop {
    enum Token {
        static let bell: UInt64 = 0
        /// Port n has the tokens firstPort + 2n (UDP) and firstPort + 2n + 1 (TCP).
        static let firstPort: UInt64 = 1
        static let firstConnection: UInt64 = 1 << 32
    }

    let addresses: [SocketAddress]
    let limits: DNSService.Limits
    let ports: [DNSPort]
    var resolver: Resolver
    var epoll: Epoll
    var connections: [UInt64: DNSConnection] = [:]
    var nextConnection = Token.firstConnection
    var nextTicket: UInt64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var actions: [Resolver.Action] = []
    var records: [QueryRecord] = []
    private let board: DNSServiceBoard
    private var networksVersion = 0

    init(
        _ configuration: ResolverConfiguration, addresses: [SocketAddress], limits: DNSService.Limits,
        board: DNSServiceBoard
    ) throws(SystemError) {
        var configuration = configuration
        configuration.largestUDPResponse = min(configuration.largestUDPResponse, DNSPort.longestDatagram)
        var ports: [DNSPort] = []
        for address in addresses { ports.append(try DNSPort(address)) }
        self.ports = ports
        self.addresses = ports.map(\.address)
        self.limits = limits
        self.board = board
        resolver = Resolver(configuration)
        epoll = try Epoll()
        try epoll.add(board.bell.descriptor, .readable, token: Token.bell)
        for (index, port) in ports.enumerated() {
            let token = Token.firstPort + 2 * UInt64(index)
            try epoll.add(port.datagrams.descriptor, .readable, token: token)
            try epoll.add(port.listener.descriptor, .readable, token: token + 1)
        }
    }

    func run() {
        while !board.isStopping {
            let count = epoll.wait(until: nextDeadline)
            // Before any query: one that was sent after the networks were changed must find them so.
            if let networks = board.networks(since: &networksVersion) { resolver.configuration.networks = networks }
            for index in 0..<count { handle(epoll[index]) }
            let now = MonotonicClock.now()
            closeIdleConnections(now)
            for (index, port) in ports.enumerated() { resumeAccepting(port, index, now) }
            publish()
        }
    }

    private var nextDeadline: Instant? {
        (connections.values.map(\.deadline) + ports.compactMap(\.acceptsAgain)).min()
    }

    private func handle(_ event: Epoll.Event) {
        switch event.token {
        case Token.bell:
            board.bell.hear()
        case Token.firstConnection...:
            handleConnection(event.token, event.readiness)
        default:
            let (index, isStream) = (event.token - Token.firstPort).quotientAndRemainder(dividingBy: 2)
            if isStream == 1 { accept(Int(index)) } else { answerDatagrams(ports[Int(index)]) }
        }
    }

    private func publish() {
        guard !records.isEmpty else { return }
        board.post(records, refusals: resolver.refusals)
        records.removeAll(keepingCapacity: true)
    }

    /// Gives one query to the resolver and returns its reply, where there is one.
    func answer(_ query: Span<UInt8>, from client: Endpoint, over transport: Transport, at now: Instant) -> [UInt8]? {
        actions.removeAll(keepingCapacity: true)
        nextTicket += 1
        resolver.receive(query, from: client, over: transport, ticket: nextTicket, at: now, into: &actions)
        var reply: [UInt8]?
        for action in actions {
            switch action {
            case .reply(let message, _): reply = message
            case .record(let record): records.append(record)
            }
        }
        return reply
    }
}

extension Endpoint {
    init(_ address: SocketAddress) {
        switch address.host {
        case .ipv4(let host): self.init(.ipv4(host), port: address.port)
        case .ipv6(let host): self.init(.ipv6(host), port: address.port)
        }
    }
}
