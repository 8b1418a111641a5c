import DNS64
import LinuxNet
import Wire

/// The resolver's questions to others: a socket for each, closed when the resolver says so, or the validator.
struct Exchanges: ~Copyable {
    /// Exchange n has the token firstToken + n.
    static let firstToken: UInt64 = 1 << 62

    private let interests: InterestList
    private let validator: Validator?
    private var exchanges: [UInt64: DNSExchange] = [:]
    private var batch = DatagramBatch(datagramCapacity: DNSPort.maximumDatagramLength)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// - Parameter token: the validator's.
    init(_ interests: InterestList, validator: Validator?, token: UInt64) throws(SystemError) {
        self.interests = interests
        self.validator = validator
        if let validator { try interests.add(validator.descriptor, .readable, token: token) }
    }

    /// False where the question cannot be asked.
    mutating func start(
        _ number: UInt64, _ message: [UInt8], _ server: UpstreamServer, _ transport: Transport
    ) -> Bool {
        switch server {
        case .validator:
            return validator?.ask(message, exchange: number) ?? false
        case .forwarder(let endpoint):
            do throws(SystemError) {
                try start(number, message, SocketAddress(endpoint), transport)
                return true
            } catch {
                return false
            }
        }
    }

    private mutating func start(
        _ number: UInt64, _ message: [UInt8], _ address: SocketAddress, _ transport: Transport
    ) throws(SystemError) {
        let token = Self.firstToken + number
        switch transport {
        case .udp:
            let exchange = DNSDatagramExchange(try DatagramSocket(connectingTo: address))
            try interests.add(exchange.socket.descriptor, .readable, token: token)
            exchanges[number] = .datagram(exchange)
            batch.removeAll()
            _ = batch.append(message.span, to: address)
            // What does not go out is not answered, and its time will be over like that of any other.
            exchange.socket.send(batch)
        case .tcp:
            let exchange = DNSStreamExchange(
                try StreamSocket.connect(to: address), server: address, question: message)
            try interests.add(exchange.socket.descriptor, .writable, token: token)
            exchanges[number] = .stream(exchange)
        }
    }

    mutating func close(_ number: UInt64) {
        exchanges[number] = nil
        validator?.forget(number)
    }

    // MARK: - What comes back

    /// The resolver's actions wait for the end of a batch: asking again would overwrite it.
    func takeValidated(for resolver: inout Resolver, into actions: inout [Resolver.Action]) {
        for answer in validator?.answers() ?? [] {
            resolver.receive(
                fromForwarder: answer.octets.span, from: .validator, exchange: answer.exchange,
                at: MonotonicClock.now(), into: &actions)
        }
    }

    /// Takes what has come to the socket of an exchange.
    mutating func proceed(
        _ number: UInt64, _ readiness: Epoll.Readiness, for resolver: inout Resolver,
        into actions: inout [Resolver.Action]
    ) {
        switch exchanges[number] {
        case .datagram(let exchange): receive(exchange, number, for: &resolver, into: &actions)
        case .stream(let exchange): proceed(exchange, number, readiness, for: &resolver, into: &actions)
        case nil: break
        }
    }

    private mutating func receive(
        _ exchange: DNSDatagramExchange, _ number: UInt64, for resolver: inout Resolver,
        into actions: inout [Resolver.Action]
    ) {
        let count: Int
        switch exchange.socket.receive(into: &batch) {
        case .received(let received): count = received
        case .wouldBlock: return
        // Nothing listens there.
        case .error: return resolver.fail(exchange: number, at: MonotonicClock.now(), into: &actions)
        }
        let now = MonotonicClock.now()
        for index in 0..<count {
            guard let sender = batch.peer(index) else { continue }
            resolver.receive(
                fromForwarder: batch.bytes(index), from: .forwarder(Endpoint(sender)), exchange: number, at: now,
                into: &actions)
        }
    }

    private mutating func proceed(
        _ exchange: DNSStreamExchange, _ number: UInt64, _ readiness: Epoll.Readiness,
        for resolver: inout Resolver, into actions: inout [Resolver.Action]
    ) {
        let progress = readiness.contains(.writable) ? exchange.write() : exchange.read(through: &buffer)
        let now = MonotonicClock.now()
        switch progress {
        case .waiting: break
        case .asked:
            let token = Self.firstToken + number
            if (try? interests.modify(exchange.socket.descriptor, .readable, token: token)) == nil {
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
