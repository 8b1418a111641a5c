// SPDX-License-Identifier: Apache-2.0
internal import Wire

/// Connections whose end the program has not asked for yet, by the sockets' inodes: a descriptor's number may be another socket's by then, and one
/// socket may have several. A socket that is closed unasked stays here until there are `limit`; its inode may come again, for a later socket.
struct PendingConnections {
    private var sockets: [UInt64: (place: Int, since: Instant)] = [:]
    private static let limit = 4096

    var isEmpty: Bool { sockets.isEmpty }

    func contains(_ socket: UInt64) -> Bool { sockets[socket] != nil }

    /// - Parameter place: where the call is in the log.
    mutating func begin(_ socket: UInt64, at place: Int, since: Instant) {
        guard sockets.count < Self.limit else { return }
        sockets[socket] = (place, since)
    }

    /// The program was told how it ended.
    mutating func end(_ socket: UInt64) -> (place: Int, since: Instant)? { sockets.removeValue(forKey: socket) }
}
