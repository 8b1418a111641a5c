// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox

/// Answers at the client's own 127.0.0.1 and ::1, like a service that listens for its own machine alone, and records the requests. Traffic
/// on the client's loopback interface crosses no link of ours, so these requests are the only evidence of it.
struct LoopbackCanary {
    static let port: UInt16 = 80
    private let loop: LoopThread<Server>

    /// Takes the client's listeners for it.
    static func start(_ client: borrowing GuardedClient) throws(CheckFailure) -> LoopbackCanary {
        try CheckFailure.wrapping { () throws in
            let interests = try InterestList()
            var server = Server(interests)
            for _ in 0..<Client.listenersOfPort { try server.serve(try client.takeListener()) }
            let loop = try LoopThread(name: "canary", server, on: interests)
            try loop.start()
            return LoopbackCanary(loop: loop)
        }
    }

    /// The paths of the requests. To be called when the client and all its children have ended.
    func finish() throws(CheckFailure) -> [String] {
        try CheckFailure.wrapping { () throws(LoopFailure) in try loop.stop().requests }
    }

    private struct Server: LoopState, ~Copyable {
        let interests: InterestList
        private var listeners: [UInt64: CanaryListener] = [:]
        private var connections: [UInt64: Connection] = [:]
        private var nextToken: UInt64 = 0
        private(set) var requests: [String] = []

        private static let mostConnections = 64
        /// Further requests are answered but not recorded.
        private static let mostRequests = 4096
        /// Octets of a path that are recorded.
        private static let longestPath = 256
        private static let answer = Array(
            """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain\r
            Content-Length: 30\r
            Connection: close\r
            \r
            a server on your own machine.

            """.utf8)

        private final class CanaryListener {
            let socket: StreamListener

            init(_ socket: consuming StreamListener) { self.socket = socket }
        }

        private final class Connection {
            let socket: StreamSocket
            var hasAsked = false

            init(_ socket: consuming StreamSocket) { self.socket = socket }
        }

        init(_ interests: InterestList) { self.interests = interests }

        mutating func serve(_ descriptor: consuming Descriptor) throws(SystemError) {
            let listener = CanaryListener(try StreamListener(adopting: descriptor))
            try interests.add(listener.socket.descriptor, .readable, token: nextToken)
            listeners[nextToken] = listener
            nextToken += 1
        }

        mutating func handle(_ event: Epoll.Event) {
            if let listener = listeners[event.token] {
                accept(at: listener)
            } else if let connection = connections[event.token], !goesOn(connection) {
                connections[event.token] = nil
            }
        }

        private mutating func accept(at listener: CanaryListener) {
            guard case .connection(let socket, peer: _) = listener.socket.accept() else { return }
            let connection = Connection(socket)
            // A client with so many open connections has already been seen.
            guard connections.count < Self.mostConnections,
                (try? interests.add(connection.socket.descriptor, .readable, token: nextToken)) != nil
            else { return }
            connections[nextToken] = connection
            nextToken += 1
        }

        /// `/x` of `GET /x HTTP/1.1`; empty if the octets are no request.
        private static func path(of octets: ArraySlice<UInt8>) -> String {
            let words = octets.prefix { $0 > 0x1f }.split(separator: 0x20, maxSplits: 2)
            return words.count > 1 ? String(decoding: words[1].prefix(longestPath), as: UTF8.self) : ""
        }

        /// Answers the first octets, and reads the rest to its end: closing a connection before that would reset it.
        private mutating func goesOn(_ connection: Connection) -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var space = buffer.mutableSpan
            switch connection.socket.read(into: &space) {
            case .wouldBlock: return true
            case .end, .error: return false
            case .bytes(let count):
                if !connection.hasAsked { answer(connection, buffer.prefix(count)) }
                return true
            }
        }

        private mutating func answer(_ connection: Connection, _ request: ArraySlice<UInt8>) {
            connection.hasAsked = true
            if requests.count < Self.mostRequests { requests.append(Self.path(of: request)) }
            _ = connection.socket.write(Self.answer.span)
            connection.socket.finishWriting()
        }
    }
}
