// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Datagrams that cross the kernel in one call. Made once, and used again and again: it never grows.
@safe
package struct DatagramBatch: ~Copyable {
    /// Datagrams in one batch.
    package static let capacity = clinux_batch_limit

    /// Octets that each datagram may have.
    package let datagramCapacity: Int
    /// How many datagrams there are.
    package private(set) var count = 0

    private let storage: UnsafeMutablePointer<UInt8>
    private let datagrams: UnsafeMutablePointer<clinux_datagram>

    package init(datagramCapacity: Int) {
        precondition((1...65_535).contains(datagramCapacity))
        self.datagramCapacity = datagramCapacity
        // Zeros of the kernel's, page by page when they are used: most batches are small.
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

    /// What a datagram says.
    @_lifetime(borrow self)
    package borrowing func bytes(_ index: Int) -> Span<UInt8> {
        precondition(index >= 0 && index < count)
        let datagram = unsafe datagrams[index]
        let span = unsafe Span<UInt8>(_unsafeStart: datagram.data, count: datagram.length)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Who sent a received datagram, or where another goes.
    package borrowing func peer(_ index: Int) -> SocketAddress? {
        precondition(index >= 0 && index < count)
        return unsafe SocketAddress(datagrams[index].peer)
    }

    /// The address to which a received datagram was sent, and from which the answer should come.
    package borrowing func local(_ index: Int) -> SocketAddress? {
        precondition(index >= 0 && index < count)
        return unsafe SocketAddress(datagrams[index].local)
    }

    /// Whether a received datagram was longer than `datagramCapacity`.
    package borrowing func isTruncated(_ index: Int) -> Bool {
        precondition(index >= 0 && index < count)
        return unsafe datagrams[index].truncated
    }

    /// Adds a datagram to be sent, from the given local address where there is a choice; its port does not matter.
    /// False where the batch is full or the datagram longer than it may be.
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

    /// One recvmmsg. Negative where it failed.
    mutating func receive(from socket: Int32) -> Int {
        for index in 0..<Self.capacity { unsafe datagrams[index].length = datagramCapacity }
        let received = retrying { unsafe clinux_receive_datagrams(socket, datagrams, UInt32(Self.capacity)) }
        count = Int(max(0, received))
        return Int(received)
    }

    /// One sendmmsg, from the datagram at `first` on. Negative where it failed.
    borrowing func send(to socket: Int32, from first: Int) -> Int {
        Int(retrying { unsafe clinux_send_datagrams(socket, datagrams + first, UInt32(count - first)) })
    }
}

// A batch's memory is its own, and nothing else points at it.
extension DatagramBatch: @unchecked Sendable {}
