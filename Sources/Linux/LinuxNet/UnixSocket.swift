// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A connected Unix socket that preserves message boundaries (SEQPACKET) and can pass a descriptor with each message.
package struct UnixSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes over one end of a connected SEQPACKET socket.
    package init(owning file: consuming Descriptor) {
        self.file = file
    }

    /// A second descriptor of the socket.
    package borrowing func duplicate() throws(SystemError) -> Descriptor { try file.duplicate() }

    /// Two ends of one connection, close-on-exec.
    package static func pair() throws(SystemError) -> Pair {
        var numbers: (Int32, Int32) = (-1, -1)
        let result = unsafe withUnsafeMutableBytes(of: &numbers) {
            let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
            return unsafe socketpair(AF_UNIX, type, 0, $0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        if result != 0 { throw .last("socketpair") }
        return Pair(
            first: UnixSocket(owning: Descriptor(owning: numbers.0)),
            second: UnixSocket(owning: Descriptor(owning: numbers.1)))
    }

    @frozen
    package struct Pair: ~Copyable, Sendable {
        package let first: UnixSocket
        package let second: UnixSocket
    }

    /// Readable when a message has arrived or the other end is gone.
    package var descriptor: Int32 { file.number }

    package consuming func release() -> Descriptor { file }

    /// Sends one message, with a copy of a descriptor. EPIPE: the other end is gone.
    package borrowing func send(
        _ message: Span<UInt8>, descriptor: Int32? = nil, waits: Bool = true
    ) throws(SystemError) {
        let result = unsafe message.withUnsafeBytes {
            unsafe clinux_send_message(file.number, $0.baseAddress, $0.count, descriptor ?? -1, waits)
        }
        if result != 0 { throw .last("sendmsg") }
    }

    package enum Received: ~Copyable {
        /// A message, with the descriptor that it carried, if any.
        case message([UInt8], descriptor: Descriptor?)
        /// Returned only if the caller does not wait.
        case wouldBlock
        case closed
    }

    /// Receives one message of at most `maximum` octets. EMSGSIZE: it was longer, or carried more than one descriptor, and is lost.
    package borrowing func receive(upTo maximum: Int, waiting: Bool = true) throws(SystemError) -> Received {
        let number = file.number
        var passed: Int32 = -1
        var obstacle: Errno?
        // Only the part of the buffer that the message fills is touched: zeroing 64 KB first would take a page fault for each page.
        let octets = unsafe [UInt8](unsafeUninitializedCapacity: maximum) { room, count in
            var length = maximum
            let result = unsafe clinux_receive_message(number, room.baseAddress, &length, &passed, waiting)
            if result != 0 { obstacle = .last } else { count = length }
        }
        if let obstacle {
            if obstacle == .EAGAIN { return .wouldBlock }
            throw SystemError("recvmsg", obstacle)
        }
        // An empty message cannot be distinguished from the end of the connection, so none is ever sent.
        if octets.isEmpty { return .closed }
        return .message(octets, descriptor: passed >= 0 ? Descriptor(owning: passed) : nil)
    }
}
