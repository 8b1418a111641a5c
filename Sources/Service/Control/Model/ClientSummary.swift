public import FoundationEssentials

/// A client that is attached to the daemon.
public struct ClientSummary: Codable, Hashable, Sendable {
    /// Counts up from 1 as clients attach; no two clients of a daemon's life share one.
    public var id: UInt64
    /// Who attached it, as the kernel says (SO_PEERCRED).
    public var peer: Peer
    /// The name of the network that it sits on: `nat64`, `dual-stack`.
    public var network: String
    public var addresses: [String]
    public var since: Date
    /// What it sent, and what was delivered to it.
    public var sent: Traffic
    public var received: Traffic
    public var sessions: Int
    public var bindings: Int
    /// Packets of it, or for it, that went nowhere.
    public var drops: UInt64

    public init(
        id: UInt64, peer: Peer, network: String, addresses: [String], since: Date, sent: Traffic, received: Traffic,
        sessions: Int, bindings: Int, drops: UInt64
    ) {
        self.id = id
        self.peer = peer
        self.network = network
        self.addresses = addresses
        self.since = since
        self.sent = sent
        self.received = received
        self.sessions = sessions
        self.bindings = bindings
        self.drops = drops
    }
}

/// The process at the other end of a socket.
public struct Peer: Codable, Hashable, Sendable {
    public var uid: UInt32
    public var gid: UInt32
    /// 0 where it lives in a PID namespace that the daemon cannot see into.
    public var pid: Int32

    public init(uid: UInt32, gid: UInt32, pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
    }
}

/// Packets of one direction, and their octets with the IP header.
public struct Traffic: Codable, Hashable, Sendable {
    public var packets: UInt64
    public var octets: UInt64

    public init(packets: UInt64 = 0, octets: UInt64 = 0) {
        self.packets = packets
        self.octets = octets
    }
}
