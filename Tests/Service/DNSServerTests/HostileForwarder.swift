// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import LinuxNet
import Synchronization
import Wire

@testable import DNSServer

/// A server that does to its clients whatever a test wants, at a port of the loopback, over UDP and TCP.
final class HostileForwarder: Sendable {
    /// A question as it came.
    struct Asked: Sendable {
        var message: Message
        var port: UInt16
        var isStream: Bool
        /// How many came before it.
        var number: Int

        /// The right answer, to be changed.
        func answer(_ lines: String...) throws -> Message {
            var answer = Message(
                id: message.id, flags: [.response, .recursionAvailable], questions: message.questions, edns: EDNS())
            answer.answer = try lines.map { try ResourceRecord(presentation: $0, defaultTTL: 300) }
            return answer
        }
    }

    enum Reaction: Sendable {
        case send(Message)
        case sendOctets([UInt8])
        /// From another port than was asked.
        case sendFromElsewhere(Message)
        /// Close the connection.
        case hangUp
    }

    typealias Behaviour = @Sendable (Asked) throws -> [Reaction]

    let address: SocketAddress
    private let diary = Diary()
    private let thread: Mutex<WorkerThread?>

    /// - Parameter isListening: whether TCP connections are accepted.
    init(
        _ host: SocketAddress = SocketAddress(IPv6Address.loopback, port: 0), isListening: Bool = true,
        _ behaviour: @escaping Behaviour
    ) throws {
        let loop = try Loop.atFreePort(host, isListening: isListening, diary, behaviour)
        address = loop.address
        thread = Mutex(try WorkerThread.start(name: "hostile") { loop.run() })
    }

    var asked: [Asked] { diary.state.withLock { $0.asked } }

    func stop() {
        diary.state.withLock { $0.isStopping = true }
        let running = thread.withLock { $0.take() }
        running?.join()
    }

    private final class Diary: Sendable {
        let state = Mutex<(asked: [Asked], isStopping: Bool)>(([], false))
    }

    /// The state of the thread, which alone accesses it once it runs.
    private final class Loop: @unchecked Sendable {
        let address: SocketAddress
        private let datagrams: DatagramSocket
        private let elsewhere: DatagramSocket
        private let listener: StreamListener
        private let diary: Diary
        private let behaviour: Behaviour
        private var epoll: Epoll
        private var connections: [UInt64: DNSConnection] = [:]
        private var batch = DatagramBatch(datagramCapacity: 4096)
        private var replies = DatagramBatch(datagramCapacity: 4096)
        private var buffer = [UInt8](repeating: 0, count: 4096)

        private enum Token {
            static let datagrams: UInt64 = 0
            static let listener: UInt64 = 1
            static let firstConnection: UInt64 = 2
        }

        init(
            _ host: SocketAddress, isListening: Bool, _ diary: Diary, _ behaviour: @escaping Behaviour
        ) throws {
            datagrams = try DatagramSocket(bindingTo: host)
            address = host.withPort(datagrams.localAddress.port)
            elsewhere = try DatagramSocket(bindingTo: host)
            // If it is not to accept any connection, it listens at another port.
            listener = try StreamListener(bindingTo: isListening ? address : host)
            self.diary = diary
            self.behaviour = behaviour
            epoll = try Epoll()
            try epoll.add(datagrams.descriptor, .readable, token: Token.datagrams)
            try epoll.add(listener.descriptor, .readable, token: Token.listener)
        }

        static func atFreePort(
            _ host: SocketAddress, isListening: Bool, _ diary: Diary, _ behaviour: @escaping Behaviour
        ) throws -> Loop {
            while true {
                do {
                    return try Loop(host, isListening: isListening, diary, behaviour)
                } catch let error as SystemError where error.errno == .EADDRINUSE && host.port == 0 {
                    // Another program has the port that was free for UDP for TCP.
                }
            }
        }

        func run() {
            while !diary.state.withLock({ $0.isStopping }) {
                for index in 0..<epoll.wait(until: MonotonicClock.now() + .milliseconds(20)) {
                    switch epoll[index].token {
                    case Token.datagrams: answerDatagrams()
                    case Token.listener: accept()
                    case let token: answerStream(token)
                    }
                }
            }
        }

        private func note(_ octets: Span<UInt8>, port: UInt16, isStream: Bool) -> Asked? {
            guard let message = try? Message(octets) else { return nil }
            return diary.state.withLock { state in
                let asked = Asked(message: message, port: port, isStream: isStream, number: state.asked.count)
                state.asked.append(asked)
                return asked
            }
        }

        private func answerDatagrams() {
            guard case .received(let count) = datagrams.receive(into: &batch) else { return }
            for index in 0..<count {
                guard let peer = batch.peer(index),
                    let asked = note(batch.bytes(index), port: peer.port, isStream: false),
                    let reactions = try? behaviour(asked)
                else { continue }
                for reaction in reactions {
                    replies.removeAll()
                    switch reaction {
                    case .send(let message), .sendFromElsewhere(let message):
                        _ = replies.append(message.encoded().span, to: peer)
                    case .sendOctets(let octets): _ = replies.append(octets.span, to: peer)
                    case .hangUp: continue
                    }
                    if case .sendFromElsewhere = reaction { elsewhere.send(replies) } else { datagrams.send(replies) }
                }
            }
        }

        private func accept() {
            guard case .connection(let socket, let peer?) = listener.accept() else { return }
            let token = Token.firstConnection + UInt64(connections.count)
            let connection = DNSConnection(
                socket, client: Endpoint(peer), turns: ClientTurns(advance: nil), deadline: .distantFuture)
            try? epoll.add(connection.socket.descriptor, .readable, token: token)
            connections[token] = connection
        }

        private func answerStream(_ token: UInt64) {
            guard let connection = connections[token], connection.read(through: &buffer) else { return }
            while let query = connection.nextQuery() {
                guard let asked = note(query.span, port: connection.client.port, isStream: true),
                    let reactions = try? behaviour(asked)
                else { continue }
                for reaction in reactions {
                    switch reaction {
                    case .send(let message), .sendFromElsewhere(let message): connection.append(message.encoded())
                    case .sendOctets(let octets): connection.append(octets)
                    case .hangUp:
                        connections[token] = nil
                        return
                    }
                }
                _ = connection.write()
            }
            if connection.isFinished { connections[token] = nil }
        }
    }
}
