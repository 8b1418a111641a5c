// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A listening TCP socket that never blocks.
package struct StreamListener: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes over a listening socket.
    package init(adopting file: consuming Descriptor) throws(SystemError) {
        try file.setNonBlocking()
        self.file = file
    }

    /// - Parameters:
    ///   - interface: accepts only connections that arrive at this interface; `nil` accepts those of all.
    ///   - mayLackAddress: whether the network may get the address later, or never.
    package init(
        bindingTo address: SocketAddress, backlog: Int32 = 128, interface: Int? = nil, mayLackAddress: Bool = false
    ) throws(SystemError) {
        let number = clinux_stream_socket(address.family)
        if number < 0 { throw .last("socket(SOCK_STREAM)") }
        let file = Descriptor(owning: number)
        // A restarted server must not wait until the old connections leave TIME-WAIT.
        if clinux_reuse_address(number) != 0 { throw .last("setsockopt(SO_REUSEADDR)") }
        if let interface { try InterfaceBinding.bind(number, to: interface) }
        if mayLackAddress, clinux_bind_to_any_address(number) != 0 { throw .last("setsockopt(IP_FREEBIND)") }
        var raw = address.raw
        if unsafe clinux_bind(number, &raw) != 0 { throw .last("bind", what: "\(address)") }
        if listen(number, backlog) != 0 { throw .last("listen", what: "\(address)") }
        self.file = file
    }

    package var descriptor: Int32 { file.number }

    /// For an event loop that accepts connections itself.
    package consuming func release() -> Descriptor { file }

    /// Sets the backlog of a listening socket that the caller does not own: how many connections may wait to be accepted.
    package static func setBacklog(_ backlog: Int32, of descriptor: Int32) throws(SystemError) {
        if listen(descriptor, backlog) != 0 { throw .last("listen") }
    }

    package var localAddress: SocketAddress { file.localAddress }

    package enum AcceptResult: ~Copyable {
        case connection(StreamSocket, peer: SocketAddress?)
        case wouldBlock
        /// This connection failed, or (EMFILE, ENFILE, ENOMEM) there are no resources for it now.
        case error(Errno)
    }

    package borrowing func accept() -> AcceptResult {
        var peer = clinux_address()
        let number = retrying { unsafe clinux_accept(file.number, &peer) }
        if number >= 0 {
            return .connection(StreamSocket(owning: Descriptor(owning: number)), peer: SocketAddress(peer))
        }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }
}

/// A TCP connection that never blocks.
package struct StreamSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes over a connected, non-blocking socket.
    package init(owning file: consuming Descriptor) {
        // Answers are written whole. Only a socket that has just failed refuses this option, and the next call on it reports the failure.
        _ = clinux_send_without_delay(file.number)
        self.file = file
    }

    /// Starts to connect. When the socket becomes writable, `takeConnectionError` returns the outcome.
    /// - Parameter source: the local address; `nil` lets the kernel choose.
    package static func connect(
        to address: SocketAddress, from source: SocketAddress? = nil
    ) throws(SystemError) -> StreamSocket {
        let number = clinux_stream_socket(address.family)
        if number < 0 { throw .last("socket(SOCK_STREAM)") }
        let socket = StreamSocket(owning: Descriptor(owning: number))
        if let source {
            var raw = source.raw
            if unsafe clinux_bind(number, &raw) != 0 { throw .last("bind", what: "\(source)") }
        }
        var raw = address.raw
        if unsafe clinux_connect(number, &raw) != 0, Errno.last != .EINPROGRESS {
            throw .last("connect", what: "\(address)")
        }
        return socket
    }

    package var descriptor: Int32 { file.number }

    package consuming func release() -> Descriptor { file }

    package var localAddress: SocketAddress { file.localAddress }

    /// `nil` if it is not connected, or no longer.
    package var peerAddress: SocketAddress? {
        var raw = clinux_address()
        return unsafe clinux_peer_address(file.number, &raw) == 0 ? SocketAddress(raw) : nil
    }

    /// Why connecting failed, if it did; reading the error clears it (SO_ERROR).
    package func takeConnectionError() -> Errno? {
        var error: Int32 = 0
        if unsafe clinux_take_error(file.number, &error) != 0 { return .last }
        return error == 0 ? nil : Errno(error)
    }

    package enum ReadResult: Equatable, Sendable {
        case bytes(Int)
        /// The other end has half-closed.
        case end
        case wouldBlock
        case error(Errno)
    }

    /// Reads the available octets into the start of the buffer.
    package borrowing func read(into buffer: inout MutableSpan<UInt8>) -> ReadResult {
        precondition(buffer.count > 0, "an empty read looks like the end")
        let count = unsafe buffer.withUnsafeMutableBytes { target in
            retrying { unsafe recv(file.number, target.baseAddress, target.count, 0) }
        }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }

    package enum WriteResult: Equatable, Sendable {
        /// The number of octets that were written, at least one.
        case bytes(Int)
        case wouldBlock
        case error(Errno)
    }

    package borrowing func write(_ bytes: Span<UInt8>) -> WriteResult {
        let count = unsafe bytes.withUnsafeBytes { source in
            retrying { unsafe send(file.number, source.baseAddress, source.count, Int32(MSG_NOSIGNAL)) }
        }
        if count >= 0 { return .bytes(count) }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }

    /// Makes close send a reset instead of an orderly end.
    package borrowing func resetWhenClosed() {
        // This fails only if the connection is already gone.
        _ = clinux_reset_when_closed(file.number)
    }

    /// Half-closes: nothing more is sent; the other end may still send.
    package borrowing func finishWriting() {
        // This fails only if the connection is already gone.
        _ = shutdown(file.number, Int32(SHUT_WR))
    }
}
