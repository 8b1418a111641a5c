// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import LinuxNet
import Wire

/// One client's TCP connection: queries in, replies out, in the order in which the replies become ready (RFC 7766 §6.2.1, §7).
final class DNSConnection {
    let client: Endpoint
    /// Shared by all queries of its client.
    let turns: ClientTurns
    let socket: StreamSocket
    /// When it is closed, unless a whole query arrives before (RFC 7766 §6.2.3).
    var deadline: Instant
    private var framing = StreamFraming()
    private var unsent: [UInt8] = []
    private var sent = 0
    /// Queries that wait for their replies.
    var unanswered = 0
    /// The client has half-closed; its queries are still answered.
    private(set) var isFinished = false
    /// The events for which it is registered with epoll.
    var interest: Epoll.Readiness = .readable

    init(_ socket: consuming StreamSocket, client: Endpoint, turns: ClientTurns, deadline: Instant) {
        self.socket = socket
        self.turns = turns
        self.client = client
        self.deadline = deadline
    }

    /// Octets that the client has not read yet.
    var unread: Int { unsent.count - sent }
    /// Whether nothing is left to be done.
    var isDone: Bool { isFinished && unread == 0 && unanswered == 0 }

    /// Reads the available octets. False if the connection has failed.
    func read(through buffer: inout [UInt8]) -> Bool {
        var target = buffer.mutableSpan
        switch socket.read(into: &target) {
        case .bytes(let count): framing.append(buffer.span.extracting(first: count))
        case .wouldBlock: break
        case .end: isFinished = true
        case .error: return false
        }
        return true
    }

    func nextQuery() -> [UInt8]? { framing.nextMessage() }

    func append(_ reply: [UInt8]) {
        unanswered -= 1
        StreamFraming.append(reply, to: &unsent)
    }

    /// Writes as much as the client takes. False if the connection has failed.
    func write() -> Bool {
        while unread > 0 {
            switch socket.write(unsent.span.extracting(sent...)) {
            case .bytes(let count): sent += count
            case .wouldBlock: return true
            case .error: return false
            }
        }
        unsent.removeAll(keepingCapacity: true)
        sent = 0
        return true
    }
}
