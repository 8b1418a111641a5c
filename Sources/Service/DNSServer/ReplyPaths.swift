// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The path of a reply back to its client.
enum ReplyPath {
    case datagram(DNSPort, peer: SocketAddress, local: SocketAddress?)
    case connection(UInt64)
}

/// The reply paths of queries whose replies did not come at once, by ticket.
struct ReplyPaths {
    private var paths: [UInt64: ReplyPath] = [:]
    private var lastTicket: UInt64 = 0

    /// A number that no earlier query had.
    mutating func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    mutating func keep(_ path: ReplyPath, for ticket: UInt64) { paths[ticket] = path }

    mutating func take(_ ticket: UInt64) -> ReplyPath? { paths.removeValue(forKey: ticket) }
}
