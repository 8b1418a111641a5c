// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import LinuxNet
package import Wire

/// One end of an attachment: JSON texts, some with a descriptor, each with a timeout.
package struct AttachChannel: ~Copyable, Sendable {
    private let socket: UnixSocket

    /// Octets of the longest message; a certificate and some addresses need a tenth of it.
    static let maximumMessageLength = 65_536

    package init(_ socket: consuming UnixSocket) {
        self.socket = socket
    }

    /// Readable when a message has arrived, or the other end is gone.
    package var descriptor: Int32 { socket.descriptor }

    /// Another descriptor of the same socket.
    package borrowing func duplicate() throws(SystemError) -> Descriptor { try socket.duplicate() }

    /// The process at the other end.
    package var peer: UnixPeer? { socket.peer }

    package borrowing func peerIsMember(ofGroup group: UInt32) -> Bool { socket.peerIsMember(ofGroup: group) }

    /// Sends a message. False if the other end is gone, or does not read.
    /// - Parameter waits: whether to wait for room.
    @discardableResult
    package borrowing func send<Message: AttachMessage>(
        _ message: Message, descriptor: Int32? = nil, waits: Bool = true
    ) -> Bool {
        guard let octets = Self.octets(of: message) else { return false }
        do throws(SystemError) {
            try socket.send(octets.span, descriptor: descriptor, waits: waits)
            return true
        } catch {
            return false
        }
    }

    package enum Received<Message>: ~Copyable {
        case message(Message, descriptor: Descriptor?)
        /// The received data is no message of this protocol.
        case nonsense
        case timedOut
        case closed
    }

    /// Receives the next message of the other end.
    /// - Parameter deadline: `nil` waits for as long as it takes.
    package borrowing func receive<Message: AttachMessage>(
        _: Message.Type, until deadline: Instant?
    ) -> Received<Message> {
        guard waitForInput(socket.descriptor, until: deadline) else { return .timedOut }
        do throws(SystemError) {
            switch try socket.receive(upTo: Self.maximumMessageLength, waiting: false) {
            case .message(let octets, let descriptor):
                guard let message = Self.message(octets, Message.self) else { return .nonsense }
                return .message(message, descriptor: descriptor)
            // A spurious wake-up: the caller calls again, and waits again.
            case .wouldBlock: return .timedOut
            case .closed: return .closed
            }
        } catch {
            return error.errno == .EMSGSIZE ? .nonsense : .closed
        }
    }

    private static func octets<Message: AttachMessage>(of message: Message) -> [UInt8]? {
        // By index, as the standard library's search is generic here, and looking up its types takes a process a quarter of a
        // millisecond.
        let plain = Message.plain
        for index in plain.indices where plain[index].message == message { return Array(plain[index].text.utf8) }
        return (try? JSONEncoder().encode(message)).map { Array($0) }
    }

    private static func message<Message: AttachMessage>(_ octets: [UInt8], _: Message.Type) -> Message? {
        let plain = Message.plain
        for index in plain.indices where octets.elementsEqual(plain[index].text.utf8) { return plain[index].message }
        return try? JSONDecoder().decode(Message.self, from: Data(octets))
    }
}
