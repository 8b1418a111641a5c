// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Wire
import HTTPServing
import NIOCore

/// The context of a request: the service, the client's address, and the parameters of the path.
struct RequestContext: RoutedContext {
    let service: World.Service
    private let peer: SocketAddress?
    let eventLoop: any EventLoop
    var parameters: PathParameters = [:]

    init(of service: World.Service, on channel: any Channel) {
        self.service = service
        peer = channel.remoteAddress
        eventLoop = channel.eventLoop
    }

    /// The client's address as text; "unknown" only if the client has already gone.
    var peerAddress: String { peer?.ipAddress ?? "unknown" }

    /// The client's address and port as text; `peerAddress` if either is unknown.
    var peerDescription: String {
        guard let peer, let address = IPAddress(socketAddress: peer),
            let port = peer.port.flatMap(UInt16.init(exactly:))
        else { return peerAddress }
        return address.description(port: port)
    }
}

extension RequestContext {
    /// Waits until the connection's event loop has handled all earlier writes.
    ///
    /// A write only queues its octets for the event loop. Back-pressure (the write buffer's high-water mark, `TCPLimits.pendingWrites`)
    /// begins when the event loop has processed them; without this wait, a body that is produced faster than TLS encrypts it queues
    /// gigabytes first.
    func keepPace() async throws {
        try await eventLoop.submit {}.get()
    }
}
