// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The way back to a client.
enum ReplyPath {
    case datagram(DNSPort, peer: SocketAddress, local: SocketAddress?)
    case connection(UInt64)
}

/// The ways back of the queries whose replies did not come at once, by their tickets.
struct ReplyPaths {
    private var paths: [UInt64: ReplyPath] = [:]
    private var lastTicket: UInt64 = 0

    /// A number that no query had before.
    mutating func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    mutating func keep(_ path: ReplyPath, for ticket: UInt64) { paths[ticket] = path }

    mutating func take(_ ticket: UInt64) -> ReplyPath? { paths.removeValue(forKey: ticket) }
}
