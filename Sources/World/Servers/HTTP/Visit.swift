import Hummingbird
import Logging
import NIOCore

/// The circumstances of a request: which service it came to, at which address, from where.
struct Visit: RequestContext {
    typealias Source = VisitSource

    var coreContext: CoreRequestContextStorage
    let service: World.Service
    private let peer: SocketAddress?

    init(source: VisitSource) {
        coreContext = CoreRequestContextStorage(source: source)
        service = source.service
        peer = source.channel.remoteAddress
    }

    /// The client's address, as text; unknown only where it has gone already.
    var peerAddress: String { peer?.ipAddress ?? "unknown" }

    var peerDescription: String {
        guard let peer, let address = HostAddress(socketAddress: peer),
            let port = peer.port.flatMap(UInt16.init(exactly:))
        else { return peerAddress }
        return address.description(port: port)
    }
}

/// Of what a `Visit` is made.
struct VisitSource: RequestContextSource {
    let service: World.Service
    let channel: any Channel
    let logger = Logger(label: "world") { _ in SwiftLogNoOpLogHandler() }
}
