// SPDX-License-Identifier: Apache-2.0
internal import Wire

/// Connections whose outcome the program has not asked for yet, by the sockets' inodes: a descriptor's number may belong to another socket
/// by then, and one socket may have several. A socket that is closed without asking stays here until there are `limit`; a later socket may
/// get its inode.
struct PendingConnections {
    private var sockets: [UInt64: (place: Int, since: Instant)] = [:]
    private static let limit = 4096

    var isEmpty: Bool { sockets.isEmpty }

    func contains(_ socket: UInt64) -> Bool { sockets[socket] != nil }

    /// - Parameter place: the index of the call in the log.
    mutating func begin(_ socket: UInt64, at place: Int, since: Instant) {
        guard sockets.count < Self.limit else { return }
        sockets[socket] = (place, since)
    }

    /// The program has got the outcome.
    mutating func end(_ socket: UInt64) -> (place: Int, since: Instant)? { sockets.removeValue(forKey: socket) }
}
