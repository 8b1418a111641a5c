// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Datagrams that are passed to or from the kernel in one call. A batch is reused and never grows.
@safe
package struct DatagramBatch: ~Copyable {
    /// Maximum number of datagrams in a batch.
    package static let capacity = clinux_batch_limit

    /// Maximum number of octets per datagram.
    package let datagramCapacity: Int
    /// Number of datagrams in the batch.
    package private(set) var count = 0

    private let storage: UnsafeMutablePointer<UInt8>
    private let datagrams: UnsafeMutablePointer<clinux_datagram>

    package init(datagramCapacity: Int) {
        precondition((1...65_535).contains(datagramCapacity))
        self.datagramCapacity = datagramCapacity
        // Zero pages from the kernel, allocated one by one when first used: most batches are small.
        guard let zeros = unsafe calloc(Self.capacity, datagramCapacity) else { preconditionFailure("no memory") }
        unsafe storage = zeros.bindMemory(to: UInt8.self, capacity: Self.capacity * datagramCapacity)
        unsafe datagrams = .allocate(capacity: Self.capacity)
        unsafe datagrams.initialize(repeating: clinux_datagram(), count: Self.capacity)
        for index in 0..<Self.capacity {
            unsafe datagrams[index].data = storage + index * datagramCapacity
        }
    }

    deinit {
        unsafe datagrams.deallocate()
        unsafe free(storage)
    }

    package var isFull: Bool { count == Self.capacity }

    package mutating func removeAll() { count = 0 }

    /// The payload of a datagram.
    @_lifetime(borrow self)
    package borrowing func bytes(_ index: Int) -> Span<UInt8> {
        precondition(index >= 0 && index < count)
        let datagram = unsafe datagrams[index]
        let span = unsafe Span<UInt8>(_unsafeStart: datagram.data, count: datagram.length)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The sender of a received datagram, or the destination of one to be sent.
    package borrowing func peer(_ index: Int) -> SocketAddress? {
        precondition(index >= 0 && index < count)
        return unsafe SocketAddress(datagrams[index].peer)
    }

    /// The address to which a received datagram was sent, and from which the reply should be sent.
    package borrowing func local(_ index: Int) -> SocketAddress? {
        precondition(index >= 0 && index < count)
        return unsafe SocketAddress(datagrams[index].local)
    }

    /// Whether a received datagram was longer than `datagramCapacity`.
    package borrowing func isTruncated(_ index: Int) -> Bool {
        precondition(index >= 0 && index < count)
        return unsafe datagrams[index].truncated
    }

    /// Adds a datagram to be sent, from the given local address if there is a choice; its port is ignored.
    /// - Returns: false if the batch is full or the datagram too long.
    package mutating func append(
        _ bytes: Span<UInt8>, to peer: SocketAddress, from local: SocketAddress? = nil
    ) -> Bool {
        guard !isFull, bytes.count <= datagramCapacity else { return false }
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe datagrams[count].data.update(from: start, count: source.count) }
        }
        unsafe datagrams[count].length = bytes.count
        unsafe datagrams[count].peer = peer.raw
        unsafe datagrams[count].local = local?.raw ?? clinux_address()
        count += 1
        return true
    }

    /// Calls recvmmsg once. Negative if it failed.
    mutating func receive(from socket: Int32) -> Int {
        for index in 0..<Self.capacity { unsafe datagrams[index].length = datagramCapacity }
        let received = retrying { unsafe clinux_receive_datagrams(socket, datagrams, UInt32(Self.capacity)) }
        count = Int(max(0, received))
        return Int(received)
    }

    /// Calls sendmmsg once, starting with the datagram at `first`. Negative if it failed.
    borrowing func send(to socket: Int32, from first: Int) -> Int {
        Int(retrying { unsafe clinux_send_datagrams(socket, datagrams + first, UInt32(count - first)) })
    }
}

// The batch is the only owner of its memory.
extension DatagramBatch: @unchecked Sendable {}
