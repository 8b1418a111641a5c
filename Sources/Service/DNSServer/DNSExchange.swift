// SPDX-License-Identifier: Apache-2.0
import DNSWire
import LinuxNet

/// One question to a forwarder over TCP.
final class DNSStreamExchange {
    let socket: StreamSocket
    let server: SocketAddress
    private var framing = StreamFraming()
    /// The unsent rest of the question; it is sent once the connection is established.
    private var unsent: [UInt8] = []

    init(_ socket: consuming StreamSocket, server: SocketAddress, question: [UInt8]) {
        self.socket = socket
        self.server = server
        StreamFraming.append(question, to: &unsent)
    }

    enum Progress {
        case waiting
        /// The question has been sent.
        case asked
        case answered([UInt8])
        /// The connection could not be made.
        case failed
        /// The server closed the connection.
        case hungUp
    }

    func write() -> Progress {
        guard socket.takeConnectionError() == nil else { return .failed }
        while !unsent.isEmpty {
            switch socket.write(unsent.span) {
            case .bytes(let count): unsent.removeFirst(count)
            case .wouldBlock: return .waiting
            case .error: return .hungUp
            }
        }
        return .asked
    }

    func read(through buffer: inout [UInt8]) -> Progress {
        var target = buffer.mutableSpan
        switch socket.read(into: &target) {
        case .bytes(let count):
            framing.append(buffer.span.extracting(first: count))
            return framing.nextMessage().map { .answered($0) } ?? .waiting
        case .wouldBlock: return .waiting
        case .end, .error: return .hungUp
        }
    }
}
