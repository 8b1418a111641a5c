package import DNS64
package import LinuxNet
import Wire

// The exchanges with forwarders: a socket for each, closed when the resolver says so.

extension DNSEventLoop {
    func startExchange(_ number: UInt64, _ message: [UInt8], _ server: Endpoint, _ transport: Transport) {
        if server == Validation.validator {
            if validator?.ask(message, exchange: number) != true { failExchange(number) }
            return
        }
        let address = SocketAddress(server)
        let token = Token.firstExchange + number
        do throws(SystemError) {
            switch transport {
            case .udp:
                let exchange = DNSDatagramExchange(try DatagramSocket(connectingTo: address))
                try epoll.add(exchange.socket.descriptor, .readable, token: token)
                exchanges[number] = .datagram(exchange)
                exchangeBatch.removeAll()
                _ = exchangeBatch.append(message.span, to: address)
                // What does not go out is not answered, and its time will be over like that of any other.
                exchange.socket.send(exchangeBatch)
            case .tcp:
                let exchange = DNSStreamExchange(
                    try StreamSocket.connect(to: address), server: address, question: message)
                try epoll.add(exchange.socket.descriptor, .writable, token: token)
                exchanges[number] = .stream(exchange)
            }
        } catch {
            failExchange(number)
        }
    }

    func takeValidated() {
        for answer in validator?.answers() ?? [] {
            var actions: [Resolver.Action] = []
            resolver.receive(
                fromForwarder: answer.octets.span, from: Validation.validator, exchange: answer.exchange,
                at: MonotonicClock.now(), into: &actions)
            perform(actions)
        }
    }

    func handleExchange(_ number: UInt64, _ readiness: Epoll.Readiness) {
        switch exchanges[number] {
        case .datagram(let exchange): receive(exchange, number)
        case .stream(let exchange): proceed(exchange, number, readiness)
        case nil: break
        }
    }

    private func receive(_ exchange: DNSDatagramExchange, _ number: UInt64) {
        let count: Int
        switch exchange.socket.receive(into: &exchangeBatch) {
        case .received(let received): count = received
        case .wouldBlock: return
        // Nothing listens there.
        case .error: return failExchange(number)
        }
        let now = MonotonicClock.now()
        // The actions wait for the end of the batch: asking again would overwrite it.
        var actions: [Resolver.Action] = []
        for index in 0..<count {
            guard let sender = exchangeBatch.peer(index) else { continue }
            resolver.receive(
                fromForwarder: exchangeBatch.bytes(index), from: Endpoint(sender), exchange: number, at: now,
                into: &actions)
        }
        perform(actions)
    }

    private func proceed(_ exchange: DNSStreamExchange, _ number: UInt64, _ readiness: Epoll.Readiness) {
        let progress = readiness.contains(.writable) ? exchange.write() : exchange.read(through: &buffer)
        switch progress {
        case .waiting: break
        case .asked:
            if (try? epoll.modify(exchange.socket.descriptor, .readable, token: Token.firstExchange + number)) == nil {
                failExchange(number)
            }
        case .failed: failExchange(number)
        case .hungUp: failExchange(number, .hungUp)
        case .answered(let message):
            var actions: [Resolver.Action] = []
            resolver.receive(
                fromForwarder: message.span, from: Endpoint(exchange.server), exchange: number,
                at: MonotonicClock.now(), into: &actions)
            perform(actions)
        }
    }

    private func failExchange(_ number: UInt64, _ kind: ForwarderFailure.Kind = .unreachable) {
        var actions: [Resolver.Action] = []
        resolver.fail(exchange: number, kind, at: MonotonicClock.now(), into: &actions)
        perform(actions)
    }
}

extension SocketAddress {
    package init(_ endpoint: Endpoint) {
        switch endpoint.address {
        case .ipv4(let address): self.init(address, port: endpoint.port)
        case .ipv6(let address): self.init(address, port: endpoint.port)
        }
    }
}

extension Endpoint {
    package init(_ address: SocketAddress) {
        switch address.host {
        case .ipv4(let host): self.init(.ipv4(host), port: address.port)
        case .ipv6(let host): self.init(.ipv6(host), port: address.port)
        }
    }
}
