import FoundationEssentials
package import LinuxNet
package import Wire

/// Either side's end of an attachment: JSON texts, some with a descriptor, each within its time.
package struct AttachChannel: ~Copyable, Sendable {
    private let socket: UnixSocket

    /// Octets of the longest message; a certificate and some addresses need a tenth of it.
    static let longestMessage = 65_536

    package init(_ socket: consuming UnixSocket) {
        self.socket = socket
    }

    /// Readable when something was said, or the other end is gone.
    package var descriptor: Int32 { socket.descriptor }

    /// Who is at the other end.
    package var peer: UnixPeer? { socket.peer }

    package borrowing func peerIsMember(ofGroup group: UInt32) -> Bool { socket.peerIsMember(ofGroup: group) }

    /// Sends a message. False if the other end is gone, or does not read.
    @discardableResult
    package borrowing func send(_ message: some Encodable, descriptor: Int32? = nil) -> Bool {
        guard let text = try? JSONEncoder().encode(message) else { return false }
        let octets = Array(text)
        do throws(SystemError) {
            try socket.send(octets.span, descriptor: descriptor)
            return true
        } catch {
            return false
        }
    }

    package enum Received<Message>: ~Copyable {
        case message(Message, descriptor: Descriptor?)
        /// What came is no message of this protocol.
        case nonsense
        case timedOut
        case closed
    }

    /// What the other end says next.
    /// - Parameter deadline: `nil` waits for as long as it takes.
    package borrowing func receive<Message: Decodable>(
        _: Message.Type, until deadline: Instant?
    ) -> Received<Message> {
        guard waitForInput(socket.descriptor, until: deadline) else { return .timedOut }
        var buffer = [UInt8](repeating: 0, count: Self.longestMessage)
        var space = buffer.mutableSpan
        do throws(SystemError) {
            switch try socket.receive(into: &space, waiting: false) {
            case .message(let count, let descriptor):
                guard let message = try? JSONDecoder().decode(Message.self, from: Data(buffer.prefix(count))) else {
                    return .nonsense
                }
                return .message(message, descriptor: descriptor)
            // A wake-up for nothing: the caller calls again, and waits again.
            case .wouldBlock: return .timedOut
            case .closed: return .closed
            }
        } catch {
            return error.errno == .EMSGSIZE ? .nonsense : .closed
        }
    }
}
