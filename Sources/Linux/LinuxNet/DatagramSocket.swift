// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A UDP socket that never blocks. Bound for a server, it answers from the address at which it was asked: where it
/// is bound to the unspecified one, it learns that with each datagram. Connected for a client, it receives from its server alone, but for what
/// has come before it was connected, and learns if nothing listens there. A server does not find out what the path to
/// each of its clients takes, so over IPv6 it sends packets that every path does (RFC 9715 §3.1).
package struct DatagramSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Binds to the address; the unspecified one receives all of its family. Port 0 lets the kernel choose.
    /// - Parameter interface: what comes in elsewhere is for other sockets; `nil` is one for all.
    package init(bindingTo address: SocketAddress, interface: Int? = nil) throws(SystemError) {
        file = try Self.bound(to: address, interface) { (number) throws(SystemError) in
            // Bound to one address it is asked there and answers from there, and the kernel need not say so with each datagram.
            if address.isUnspecified, clinux_report_local_address(number, address.family) != 0 {
                throw .last("setsockopt(IP_PKTINFO)")
            }
            if address.family == 6, clinux_fragment_to_minimum(number) != 0 { throw .last("setsockopt(IPV6_MTU)") }
        }
    }

    /// A socket without these ways of ours, for an event loop that has its own.
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

    /// Takes an address and a port that the kernel chooses, the port at random.
    package init(connectingTo address: SocketAddress) throws(SystemError) {
        let number = clinux_datagram_socket(address.family)
        if number < 0 { throw .last("socket(SOCK_DGRAM)") }
        let file = Descriptor(owning: number)
        try Self.connect(number, to: address)
        self.file = file
    }

    /// What has come until then stays.
    static func connect(_ number: Int32, to address: SocketAddress) throws(SystemError) {
        var raw = address.raw
        if unsafe clinux_connect(number, &raw) != 0 { throw .last("connect", what: "\(address)") }
    }

    package var descriptor: Int32 { file.number }

    // MARK: - Connected

    package enum TakeResult: Equatable, Sendable {
        /// A datagram with so many octets, and who sent it.
        case datagram(Int, from: SocketAddress?)
        case wouldBlock
        case error(Errno)
    }

    /// Reads one datagram of a connected socket into the buffer's start; what is longer is cut.
    package borrowing func take(into buffer: inout MutableSpan<UInt8>) -> TakeResult {
        var sender = clinux_address()
        let count = unsafe buffer.withUnsafeMutableBytes { target in
            retrying { unsafe clinux_receive_datagram(file.number, target.baseAddress, target.count, &sender) }
        }
        if count >= 0 { return .datagram(count, from: SocketAddress(sender)) }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }

    /// Sends one datagram to whom the socket is connected with. An error may be that of an earlier one, of which the network has told.
    package borrowing func send(_ bytes: Span<UInt8>) throws(SystemError) {
        let sent = unsafe bytes.withUnsafeBytes { source in
            retrying { unsafe Glibc.send(file.number, source.baseAddress, source.count, Int32(MSG_NOSIGNAL)) }
        }
        if sent < 0 { throw .last("send") }
    }

    // MARK: - Batches

    /// Where it is bound.
    package var localAddress: SocketAddress { file.localAddress }

    package enum ReceiveResult: Equatable, Sendable {
        /// So many datagrams are in the batch.
        case received(Int)
        case wouldBlock
        case error(Errno)
    }

    /// Replaces the batch's contents by what has arrived.
    package borrowing func receive(into batch: inout DatagramBatch) -> ReceiveResult {
        let received = batch.receive(from: file.number)
        if received >= 0 { return .received(received) }
        let reason = Errno.last
        return reason == .EAGAIN ? .wouldBlock : .error(reason)
    }

    /// Sends the batch and returns how many datagrams went out. One that the kernel refuses is lost, as any datagram may
    /// be, and does not keep the others from going; a full socket loses the rest.
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
    /// Where a socket is bound.
    package var localAddress: SocketAddress {
        var raw = clinux_address()
        let result = unsafe clinux_local_address(number, &raw)
        guard result == 0, let address = SocketAddress(raw) else { preconditionFailure("not an IP socket") }
        return address
    }
}
