// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire
package import LinuxNet
package import Scenarios
import Wire

/// A server at an address, ours or a foreign one, that is asked over real sockets.
package struct ServerUnderTest: ScenarioServer {
    private let addresses: [SocketAddress]
    private let timeout: Duration
    /// The socket of the latest query, for a late reply.
    private var datagrams: Asking?

    /// - Parameters:
    ///   - addresses: one for each family from which clients ask.
    ///   - timeout: the timeout for a reply.
    package init(at addresses: [SocketAddress], timeout: Duration = .seconds(1)) {
        self.addresses = addresses
        self.timeout = timeout
    }

    package let showsEvidence = false
    package var record: QueryRecord? { nil }
    /// Questions to its forwarders cannot be seen.
    package var asked: ForwardedMessage? { nil }
    package mutating func tell(_ answer: [UInt8], from sender: Endpoint) -> [UInt8]? { nil }

    package mutating func ask(
        _ query: [UInt8], from client: Endpoint, over transport: Transport
    ) throws(SystemError) -> [UInt8]? {
        let wanted = SocketAddress(client.address, port: 0)
        let isReplaceable = client.address == ScenarioFile.anyClient && !wanted.isLocal
        let source = isReplaceable ? nil : wanted
        guard let address = addresses.first(where: { source == nil || $0.family == source?.family }) else {
            return nil
        }
        switch transport {
        case .udp:
            let asking = try Asking(query, to: address, from: source)
            datagrams = asking
            return asking.receive(until: MonotonicClock.now() + timeout)
        case .tcp:
            datagrams = nil
            return try exchange(query, with: address, from: source)
        }
    }

    package mutating func wait(_ time: Duration) -> [UInt8]? {
        datagrams?.receive(until: MonotonicClock.now() + time)
    }

    // MARK: - UDP

    private final class Asking {
        private let socket: DatagramSocket
        private var epoll: Epoll

        init(_ query: [UInt8], to address: SocketAddress, from source: SocketAddress?) throws(SystemError) {
            socket = try DatagramSocket(bindingTo: source ?? address.anyOfFamily)
            epoll = try Epoll()
            try epoll.add(socket.descriptor, .readable, token: 0)
            var batch = DatagramBatch(datagramCapacity: query.count)
            _ = batch.append(query.span, to: address)
            socket.send(batch)
        }

        func receive(until deadline: Instant) -> [UInt8]? {
            var batch = DatagramBatch(datagramCapacity: Int(UInt16.max))
            guard epoll.wait(until: deadline) > 0, case .received(let count) = socket.receive(into: &batch), count > 0
            else { return nil }
            return Self.octets(batch.bytes(0))
        }

        private static func octets(_ span: Span<UInt8>) -> [UInt8] {
            var octets: [UInt8] = []
            octets.reserveCapacity(span.count)
            for index in span.indices { octets.append(span[index]) }
            return octets
        }
    }

    // MARK: - TCP

    private func exchange(
        _ query: [UInt8], with address: SocketAddress, from source: SocketAddress?
    ) throws(SystemError) -> [UInt8]? {
        let deadline = MonotonicClock.now() + timeout
        let socket = try StreamSocket.connect(to: address, from: source)
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .writable, token: 0)
        guard epoll.wait(until: deadline) > 0, socket.takeConnectionError() == nil else { return nil }
        var framed: [UInt8] = []
        StreamFraming.append(query, to: &framed)
        // A new connection's buffer has room for more than a query, so a single write suffices.
        guard case .bytes(framed.count) = socket.write(framed.span) else { return nil }
        try epoll.modify(socket.descriptor, .readable, token: 0)
        var framing = StreamFraming()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while epoll.wait(until: deadline) > 0 {
            var target = buffer.mutableSpan
            guard case .bytes(let count) = socket.read(into: &target) else { return nil }
            framing.append(buffer.span.extracting(first: count))
            if let message = framing.nextMessage() { return message }
        }
        return nil
    }
}

extension SocketAddress {
    /// Whether the address belongs to this machine, which is so if a socket can be bound to it.
    package var isLocal: Bool { (try? DatagramSocket(bindingTo: self)) != nil }

    /// The wildcard address: the kernel chooses an address and a port from which to reach this one.
    fileprivate var anyOfFamily: SocketAddress {
        switch host {
        case .ipv4: SocketAddress(IPv4Address(bits: 0), port: 0)
        case .ipv6: SocketAddress(IPv6Address.unspecified, port: 0)
        }
    }
}
