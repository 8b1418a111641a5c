// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// A client that is attached to the daemon.
package struct ClientSummary: Codable, Hashable, Sendable {
    /// Counts up from 1 as clients attach; never reused in a daemon's life.
    package var id: UInt64
    /// The process that attached it, as reported by the kernel (SO_PEERCRED).
    package var peer: PeerProcess
    /// The name of its network: `nat64`, `dual-stack`.
    package var network: String
    package var addresses: [String]
    package var since: Date
    /// Whether its packet path answers. If it does not, the numbers are those of the last answer.
    package var responding: Bool
    /// The packets that it sent, and those that were delivered to it.
    package var sent: Traffic
    package var received: Traffic
    package var sessions: Int
    package var bindings: Int
    /// Packets from it, or to it, that were dropped.
    package var drops: UInt64

    package init(
        id: UInt64, peer: PeerProcess, network: String, addresses: [String], since: Date, responding: Bool,
        sent: Traffic,
        received: Traffic, sessions: Int, bindings: Int, drops: UInt64
    ) {
        self.id = id
        self.peer = peer
        self.network = network
        self.addresses = addresses
        self.since = since
        self.responding = responding
        self.sent = sent
        self.received = received
        self.sessions = sessions
        self.bindings = bindings
        self.drops = drops
    }
}

/// The process at the other end of a socket.
package struct PeerProcess: Codable, Hashable, Sendable {
    package var uid: UInt32
    package var gid: UInt32
    /// 0 if it lives in a PID namespace that the daemon cannot see into.
    package var pid: Int32

    package init(uid: UInt32, gid: UInt32, pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
    }
}

/// Packets of one direction, and their octets including the IP header.
package struct Traffic: Codable, Hashable, Sendable {
    package var packets: UInt64
    package var octets: UInt64

    package init(packets: UInt64 = 0, octets: UInt64 = 0) {
        self.packets = packets
        self.octets = octets
    }
}
