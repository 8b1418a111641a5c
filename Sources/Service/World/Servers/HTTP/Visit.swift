// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Wire
import HTTPServing
import NIOCore

/// The circumstances of a request: which service it came to, at which address, from where.
struct Visit: RoutedContext {
    let service: World.Service
    private let peer: SocketAddress?
    let eventLoop: any EventLoop
    var parameters: PathParameters = [:]

    init(of service: World.Service, on channel: any Channel) {
        self.service = service
        peer = channel.remoteAddress
        eventLoop = channel.eventLoop
    }

    /// The client's address, as text; unknown only where it has gone already.
    var peerAddress: String { peer?.ipAddress ?? "unknown" }

    var peerDescription: String {
        guard let peer, let address = IPAddress(socketAddress: peer),
            let port = peer.port.flatMap(UInt16.init(exactly:))
        else { return peerAddress }
        return address.description(port: port)
    }
}

extension Visit {
    /// Waits until the connection's event loop has dealt with all that was written before.
    ///
    /// A write only hands its octets over, and is held back from when the event loop finds that too many are pending. Whoever
    /// makes octets faster than TLS encrypts them must wait for it to look, or gigabytes are handed over before it does.
    func keepPace() async throws {
        try await eventLoop.submit {}.get()
    }
}
