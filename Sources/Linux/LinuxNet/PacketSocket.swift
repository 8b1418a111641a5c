// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Wire

/// An inherited socket that preserves the boundaries of datagrams, each of which is a packet.
///
/// The other end signals its end by closing its SEQPACKET socket. A pair of DGRAM sockets cannot do that: the end is an empty
/// datagram, or the refusal of a packet that is sent.
package struct PacketSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes over a descriptor that this process has inherited.
    package init(inheriting number: Int32) throws(SystemError) {
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
            throw .last("getsockopt(SO_TYPE)", what: "descriptor \(number)")
        }
        guard [SOCK_DGRAM, SOCK_SEQPACKET].contains(where: { Int32($0.rawValue) == type }) else {
            throw SystemError("getsockopt(SO_TYPE)", Errno(EPROTOTYPE), what: "descriptor \(number)")
        }
        file = Descriptor(owning: number)
    }

    /// For epoll.
    package var descriptor: Int32 { file.number }

    package enum ReadResult: Equatable, Sendable {
        case packet
        case wouldBlock
        /// A datagram was lost because it is longer than any packet.
        case tooLong
        /// The other end is gone.
        case closed
        case error(Errno)
    }

    package borrowing func read(into buffer: inout PacketBuffer) -> ReadResult {
        var result = ReadResult.packet
        unsafe buffer.fill(prefix: 0) { target in
            // With MSG_TRUNC, recv returns the datagram's full length.
            let flags = Int32(MSG_DONTWAIT | MSG_TRUNC)
            let length = retrying { unsafe recv(file.number, target.baseAddress!, target.count, flags) }
            if length < 0 {
                let reason = Errno.last
                result = reason == .EAGAIN ? .wouldBlock : Self.meansEnd(reason) ? .closed : .error(reason)
                return 0
            }
            if length == 0 { result = .closed }
            if length > target.count { result = .tooLong }
            return result == .packet ? length : 0
        }
        return result
    }

    package enum WriteResult: Equatable, Sendable {
        case written
        case wouldBlock
        case closed
        case error(Errno)
    }

    /// Writes the packet as it is; the `offload` of a super-packet is lost.
    package borrowing func write(_ buffer: inout PacketBuffer) -> WriteResult {
        unsafe buffer.withBytes(prefix: 0) { bytes in
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let length = retrying { unsafe send(file.number, bytes.baseAddress!, bytes.count, flags) }
            if length >= 0 { return .written }
            let reason = Errno.last
            return reason == .EAGAIN ? .wouldBlock : Self.meansEnd(reason) ? .closed : .error(reason)
        }
    }

    /// Waits until a packet can be written, or the other end is gone; false if the deadline came first.
    package borrowing func waitUntilWritable(until deadline: Instant) -> Bool {
        waitForOutput(file.number, until: deadline)
    }

    private static func meansEnd(_ reason: Errno) -> Bool {
        [.ECONNREFUSED, .ECONNRESET, .EPIPE, Errno(ENOTCONN)].contains(reason)
    }
}
