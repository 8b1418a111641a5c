// SPDX-License-Identifier: Apache-2.0
import DNS64
import NIOCore
import Synchronization
import Wire

/// The clients for which a proxy of the world has opened its connections to the world's services: each connection counts as
/// the client's, and ends with it. Thread-safe.
final class ProxiedClients: Sendable {
    /// Keyed by the proxy's end of each connection. Bounded, as each has a slot.
    private let clients = Mutex<[Endpoint: IPAddress]>([:])

    /// The client behind this end of a connection.
    func client(at peer: Endpoint) -> IPAddress? { clients.withLock { $0[peer] } }

    fileprivate func add(_ client: IPAddress, at end: Endpoint) { clients.withLock { $0[end] = client } }

    fileprivate func remove(_ end: Endpoint) { clients.withLock { _ = $0.removeValue(forKey: end) } }
}

/// Registers the client of a proxy's connection to a host, before the host can look it up.
final class ProxiedClient: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let client: IPAddress
    private let clients: ProxiedClients
    private var end: Endpoint?

    init(_ client: IPAddress, among clients: ProxiedClients) {
        self.client = client
        self.clients = clients
    }

    /// The channel is already bound, so it has its local address.
    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        end = context.localAddress.flatMap(Endpoint.init)
        if let end { clients.add(client, at: end) }
        context.connect(to: address, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let end { clients.remove(end) }
    }
}

extension Endpoint {
    init?(_ address: SocketAddress) {
        guard let host = IPAddress(socketAddress: address), let port = address.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        self.init(host, port: port)
    }
}
