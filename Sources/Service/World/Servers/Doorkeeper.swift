// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Evidence
import Glibc
import LinuxNet

/// Waits at the doors of a world's services, and has each served from when the first client comes.
///
/// Theory of operation. The kernel listens at all doors from the start, and completes handshakes. An event loop, TLS and certificates
/// take longer to make than many a client runs, so they are made when somebody has come who needs them; meanwhile, who
/// has come waits in the queue of that door.
///
///     closed ──a client comes──► served by `serve` for good
///                      └─────────► shut: it could not be served, and its clients learn of that
struct Doorkeeper: LoopState, ~Copyable {
    private let interests: InterestList
    private let doors: [ServiceDoor]
    private let serve: @Sendable (ServiceDoor) throws -> Void
    private let connections: ServedConnections

    /// - Parameter serve: takes the socket, and returns when it is served.
    init(
        _ doors: [ServiceDoor], _ connections: ServedConnections, _ interests: InterestList,
        serve: @escaping @Sendable (ServiceDoor) throws -> Void
    ) throws(SystemError) {
        self.doors = doors
        self.connections = connections
        self.interests = interests
        self.serve = serve
        for (index, door) in doors.enumerated() {
            try interests.add(door.descriptor, .readable, token: UInt64(index))
        }
    }

    mutating func handle(_ event: Epoll.Event) {
        let door = doors[Int(event.token)]
        // It was watched until now.
        try? interests.remove(door.descriptor)
        do {
            try serve(door)
        } catch {
            let failure = ServiceStartError(service: door.service, reason: "\(error)")
            try? Descriptor.writeAll(Array("ipv6check: \(failure)\n".utf8), to: STDERR_FILENO)
            // Closed, it refuses.
            _ = door.take()
            connections.noteEnd(
                of: door.end, door.service.kind.transport == .tcp ? .tcp : .udp, because: .serviceFailed)
        }
    }
}
