// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A UDP socket that never blocks.
///
/// A server's socket replies from the address to which the request was sent: if it is bound to the unspecified address, each
/// datagram carries its local address. It cannot discover the path MTU to each of its clients, so over IPv6 it sends packets of a
/// size that every path supports (RFC 9715 §3.1).
///
/// A client's socket is connected: it receives from its server only, apart from datagrams that arrived before it was connected, and
/// it gets an error if nothing listens there.
package struct DatagramSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Binds to the address; the unspecified address receives for all addresses of its family. With port 0 the kernel chooses.
    /// - Parameter interface: accepts only datagrams that arrive at this interface; `nil` accepts those of all.
    package init(bindingTo address: SocketAddress, interface: Int? = nil) throws(SystemError) {
        file = try Self.bound(to: address, interface) { (number) throws(SystemError) in
            // A socket that is bound to one address always uses that one, so the kernel need not report it for each datagram.
            if address.isUnspecified, clinux_report_local_address(number, address.family) != 0 {
                throw .last("setsockopt(IP_PKTINFO)")
            }
            if address.family == 6, clinux_fragment_to_minimum(number) != 0 { throw .last("setsockopt(IPV6_MTU)") }
        }
    }

    /// A socket without these options, for an event loop that sets its own.
    package static func bound(
        to address: SocketAddress, interface: Int? = nil
    ) throws(SystemError) -> Descriptor {
        try bound(to: address, interface) { _ in }
    }

    private static func bound(
        to address: SocketAddress, _ interface: Int?, prepared prepare: (Int32) throws(SystemError) -> Void
    ) throws(SystemError) -> Descriptor {
        let number = clinux_datagram_socket(address.family)
        if number < 0 { throw .last("socket(SOCK_DGRAM)") }
        let file = Descriptor(owning: number)
        try prepare(number)
        if let interface { try InterfaceBinding.bind(number, to: interface) }
        var raw = address.raw
        if unsafe clinux_bind(number, &raw) != 0 { throw .last("bind", what: "\(address)") }
        return file
    }

    /// Connects from an address and a random port that the kernel chooses.
    package init(connectingTo address: SocketAddress) throws(SystemError) {
        let number = clinux_datagram_socket(address.family)
        if number < 0 { throw .last("socket(SOCK_DGRAM)") }
        let file = Descriptor(owning: number)
        try Self.connect(number, to: address)
        self.file = file
    }

    /// Datagrams that are already queued are kept.
    static func connect(_ number: Int32, to address: SocketAddress) throws(SystemError) {
        var raw = address.raw
        if unsafe clinux_connect(number, &raw) != 0 { throw .last("connect", what: "\(address)") }
    }

    package var descriptor: Int32 { file.number }

    // MARK: - Connected

    package enum TakeResult: Equatable, Sendable {
        /// A datagram of so many octets, and its sender.
        case datagram(Int, from: SocketAddress?)
        case wouldBlock
        case error(Errno)
    }

    /// Reads one datagram of a connected socket into the start of the buffer; a longer one is truncated.
    package borrowing func take(into buffer: inout MutableSpan<UInt8>) -> TakeResult {
        var sender = clinux_address()
        let count = unsafe buffer.withUnsafeMutableBytes { target in
            retrying { unsafe clinux_receive_datagram(file.number, target.baseAddress, target.count, &sender) }
        }
        if count >= 0 { return .datagram(count, from: SocketAddress(sender)) }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }

    /// Sends one datagram to the connected peer. An error may concern an earlier datagram, as reported by ICMP.
    package borrowing func send(_ bytes: Span<UInt8>) throws(SystemError) {
        let sent = unsafe bytes.withUnsafeBytes { source in
            retrying { unsafe Glibc.send(file.number, source.baseAddress, source.count, Int32(MSG_NOSIGNAL)) }
        }
        if sent < 0 { throw .last("send") }
    }

    // MARK: - Batches

    /// The address that the socket is bound to.
    package var localAddress: SocketAddress { file.localAddress }

    package enum ReceiveResult: Equatable, Sendable {
        /// The number of datagrams in the batch.
        case received(Int)
        case wouldBlock
        case error(Errno)
    }

    /// Replaces the batch's contents by the datagrams that have arrived.
    package borrowing func receive(into batch: inout DatagramBatch) -> ReceiveResult {
        let received = batch.receive(from: file.number)
        if received >= 0 { return .received(received) }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }

    /// Sends the batch and returns how many datagrams were sent. A datagram that the kernel refuses is lost, as any may be, and the
    /// others are still sent; if the socket's buffer is full, the rest is lost.
    @discardableResult
    package borrowing func send(_ batch: borrowing DatagramBatch) -> Int {
        var sent = 0
        var next = 0
        while next < batch.count {
            let accepted = batch.send(to: file.number, from: next)
            if accepted > 0 {
                sent += accepted
                next += accepted
            } else if Errno.last == .EAGAIN {
                break
            } else {
                next += 1
            }
        }
        return sent
    }
}

extension Descriptor {
    /// The address that the socket is bound to.
    package var localAddress: SocketAddress {
        var raw = clinux_address()
        let result = unsafe clinux_local_address(number, &raw)
        guard result == 0, let address = SocketAddress(raw) else { preconditionFailure("not an IP socket") }
        return address
    }
}
