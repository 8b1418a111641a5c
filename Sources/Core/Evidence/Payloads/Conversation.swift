// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The first octets of one TCP connection, or between two UDP ports, as they crossed the client's link.
///
/// With TLS it is the ciphertext.
package struct Conversation: Codable, Hashable, Sendable {
    /// The octets of one direction, in order.
    package struct Stream: Codable, Hashable, Sendable {
        /// A packet's part of it; with UDP, a datagram.
        package struct Piece: Codable, Hashable, Sendable {
            /// Offset of its first octet.
            package var offset: Int
            /// When it arrived, since the client was connected; after `begin(at:)`, since the client began to run.
            package var time: Duration

            package init(offset: Int, time: Duration) {
                self.offset = offset
                self.time = time
            }
        }

        package var octets = Octets()
        package var pieces: [Piece] = []

        package init() {}

        /// The piece that an octet is in.
        package func piece(at offset: Int) -> Piece? { pieces.last { $0.offset <= offset } }

        /// Each piece's octets.
        package var datagrams: [ArraySlice<UInt8>] {
            pieces.indices.compactMap { index in
                let start = pieces[index].offset
                let end = index + 1 < pieces.count ? pieces[index + 1].offset : octets.count
                return start <= end && start >= 0 && end <= octets.count ? octets.bytes[start..<end] : nil
            }
        }
    }

    package var transport: Flow.Transport
    /// The far end as the client sees it.
    package var remote: IPAddress
    package var port: UInt16
    package var localPort: UInt16
    package var received = Stream()
    package var sent = Stream()

    package init(transport: Flow.Transport, remote: IPAddress, port: UInt16, localPort: UInt16) {
        self.transport = transport
        self.remote = remote
        self.port = port
        self.localPort = localPort
    }
}

/// The payloads that a traced client sent and received, within limits.
package struct PayloadRecord: Codable, Hashable, Sendable {
    /// In the order of their first packets with a payload.
    package var conversations: [Conversation] = []
    /// Octets that did not fit.
    package var omitted: UInt64 = 0
    /// The client's own addresses.
    package var clients: [IPAddress] = []

    package init() {}

    /// Counts times from the client's start, which was this long after it was connected.
    package mutating func begin(at start: Duration) {
        for index in conversations.indices {
            conversations[index].received.begin(at: start)
            conversations[index].sent.begin(at: start)
        }
    }
}

extension Conversation.Stream {
    fileprivate mutating func begin(at start: Duration) {
        for index in pieces.indices { pieces[index].time -= start }
    }
}
