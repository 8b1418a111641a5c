// SPDX-License-Identifier: Apache-2.0
import DNS64
import NIOCore
import Synchronization
import Wire

/// For whom a proxy of the world opened its connections to the world's services: these count what they have for that client, and end
/// with it. Any thread may call.
final class ProxiedClients: Sendable {
    /// By the proxy's end of each connection: as many as have a slot.
    private let clients = Mutex<[Endpoint: IPAddress]>([:])

    /// The client that is behind this end of a connection.
    func client(at peer: Endpoint) -> IPAddress? { clients.withLock { $0[peer] } }

    fileprivate func add(_ client: IPAddress, at end: Endpoint) { clients.withLock { $0[end] = client } }

    fileprivate func remove(_ end: Endpoint) { clients.withLock { _ = $0.removeValue(forKey: end) } }
}

/// Stands at a proxy's connection to a host, and tells whose it is before the host can ask.
final class ProxiedClient: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let client: IPAddress
    private let clients: ProxiedClients
    private var end: Endpoint?

    init(_ client: IPAddress, among clients: ProxiedClients) {
        self.client = client
        self.clients = clients
    }

    /// The channel is bound by now.
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
