// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Evidence
import Glibc
import LinuxNet

/// Watches the on-demand listeners of a world's services, and starts each server when its first client comes.
///
/// Theory of operation. The kernel listens at all sockets from the start, and completes handshakes. An event loop, TLS and
/// certificates take longer to set up than many a client runs, so they are set up only when a client needs them; until then,
/// clients wait in the socket's queue.
///
///     closed ──a client comes──► served by `serve` for good
///                      └─────────► shut: it could not be served, and its clients learn of that
struct SocketActivator: LoopState, ~Copyable {
    private let interests: InterestList
    private let listeners: [ServiceListener]
    private let serve: @Sendable (ServiceListener) throws -> Void
    private let connections: ServedConnections

    /// - Parameter serve: takes the socket, and returns when a server serves it.
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
        // Cannot fail: the descriptor was watched until now.
        try? interests.remove(listener.descriptor)
        do {
            try serve(listener)
        } catch {
            let failure = ServiceStartError(service: listener.service, reason: "\(error)")
            try? Descriptor.writeAll(Array("ipv6check: \(failure)\n".utf8), to: STDERR_FILENO)
            // This closes the socket, so the kernel refuses clients.
            _ = listener.take()
            connections.noteEnd(
                of: listener.end, listener.service.kind.transport == .tcp ? .tcp : .udp, because: .serviceFailed)
        }
    }
}
