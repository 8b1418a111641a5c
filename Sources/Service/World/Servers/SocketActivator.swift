// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Evidence
import Glibc
import LinuxNet

/// Waits at the listeners of a world's services, and has each served from when the first client comes.
///
/// Theory of operation. The kernel listens at all listeners from the start, and completes handshakes. An event loop, TLS and certificates
/// take longer to make than many a client runs, so they are made when somebody has come who needs them; meanwhile, who
/// has come waits in the queue of that listener.
///
///     closed ──a client comes──► served by `serve` for good
///                      └─────────► shut: it could not be served, and its clients learn of that
struct SocketActivator: LoopState, ~Copyable {
    private let interests: InterestList
    private let listeners: [ServiceListener]
    private let serve: @Sendable (ServiceListener) throws -> Void
    private let connections: ServedConnections

    /// - Parameter serve: takes the socket, and returns when it is served.
    init(
        _ listeners: [ServiceListener], _ connections: ServedConnections, _ interests: InterestList,
        serve: @escaping @Sendable (ServiceListener) throws -> Void
    ) throws(SystemError) {
        self.listeners = listeners
        self.connections = connections
        self.interests = interests
        self.serve = serve
        for (index, listener) in listeners.enumerated() {
            try interests.add(listener.descriptor, .readable, token: UInt64(index))
        }
    }

    mutating func handle(_ event: Epoll.Event) {
        let listener = listeners[Int(event.token)]
        // It was watched until now.
        try? interests.remove(listener.descriptor)
        do {
            try serve(listener)
        } catch {
            let failure = ServiceStartError(service: listener.service, reason: "\(error)")
            try? Descriptor.writeAll(Array("ipv6check: \(failure)\n".utf8), to: STDERR_FILENO)
            // Closed, it refuses.
            _ = listener.take()
            connections.noteEnd(
                of: listener.end, listener.service.kind.transport == .tcp ? .tcp : .udp, because: .serviceFailed)
        }
    }
}
