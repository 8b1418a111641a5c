// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One packet, from its IP header to its end, in a buffer with headroom.
///
/// Theory of operation. The bytes of the packet are `start..<end` of a fixed allocation. A header that becomes larger grows into the
/// headroom, one that becomes smaller gives room back, and the payload never moves. A buffer is made once and reused for every packet:
/// `reset` empties it, the code that fills it calls `withFreeSpace`.
///
///      0          start                                end       capacity
///      +----------+------------------------------------+---------+
///      | headroom | IP header, transport, payload      | free    |
///      +----------+------------------------------------+---------+
@safe
public struct PacketBuffer: ~Copyable {
    /// Enough for an IPv4 header to become an IPv6 one with a fragment header, once outside and once inside an ICMP
    /// error (2 × 28 octets), and for the descriptor's own header before that.
    public static let headroom = 128
    /// The largest packet that IP can describe without jumbograms: an IPv6 header and 65,535 octets.
    public static let largestPacket = 40 + 65_535

    @usableFromInline let storage: UnsafeMutableRawBufferPointer
    @usableFromInline var start: Int
    @usableFromInline var end: Int
    /// The work that the kernel has left undone in this packet.
    public var offload = Offload.none

    /// An empty buffer with room for a packet of `capacity` octets after the headroom.
    public init(capacity: Int = PacketBuffer.largestPacket) {
        precondition(capacity >= 0)
        let count = Self.headroom + capacity
        // calloc leaves zeroed pages untouched: only the pages that packets have used take memory.
        guard let octets = unsafe calloc(count, 1) else { fatalError("no memory for a packet") }
        unsafe storage = UnsafeMutableRawBufferPointer(start: octets, count: count)
        start = Self.headroom
        end = Self.headroom
    }

    deinit {
        unsafe free(storage.baseAddress)
    }

    /// The packet's length in octets.
    @inline(always)
    public var count: Int { end - start }
    /// Octets by which the packet may still grow at its end.
    @inline(always)
    public var availableTailroom: Int { unsafe storage.count - end }
    /// The maximum size of a packet after the full headroom, in octets.
    public var capacity: Int { unsafe storage.count - Self.headroom }

    /// The packet.
    @inline(always)
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let span = unsafe Span<UInt8>(
                _unsafeStart: (storage.baseAddress! + start).assumingMemoryBound(to: UInt8.self), count: end - start)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The packet, for changes in place.
    @inline(always)
    public var mutableBytes: MutableSpan<UInt8> {
        @_lifetime(&self)
        mutating get {
            let span = unsafe MutableSpan<UInt8>(
                _unsafeStart: (storage.baseAddress! + start).assumingMemoryBound(to: UInt8.self), count: end - start)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    /// Moves the packet's first octet: forwards drops octets from the front, backwards (negative) takes them from the headroom, with their
    /// old values.
    @inline(always)
    public mutating func moveStart(by distance: Int) {
        let moved = start + distance
        precondition(moved >= 0 && moved <= end, "the packet would leave its buffer")
        start = moved
    }

    /// Drops octets from the end, or takes them from the free space after it, with their old values.
    @inline(always)
    public mutating func resize(to count: Int) {
        precondition(unsafe count >= 0 && start + count <= storage.count, "the packet would leave its buffer")
        end = start + count
    }

    /// Makes the buffer empty, with all its headroom and no offload.
    @inline(always)
    public mutating func reset() {
        start = Self.headroom
        end = Self.headroom
        offload = .none
    }

    /// Replaces the contents. Bytes beyond `capacity` are not copied; returns the number of bytes copied.
    @discardableResult
    public mutating func replace(with bytes: Span<UInt8>) -> Int {
        reset()
        let taken = min(bytes.count, capacity)
        unsafe bytes.withUnsafeBytes { source in
            guard taken > 0 else { return }
            unsafe (storage.baseAddress! + Self.headroom).copyMemory(from: source.baseAddress!, byteCount: taken)
        }
        end = Self.headroom + taken
        return taken
    }

    /// Appends bytes to the packet; there must be room for them.
    @inline(always)
    public mutating func append(_ bytes: Span<UInt8>) {
        let place = end - start
        resize(to: place + bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            guard source.count > 0 else { return }
            unsafe (storage.baseAddress! + start + place).copyMemory(
                from: source.baseAddress!, byteCount: source.count)
        }
    }

    /// Lets a system call fill the buffer. `body` gets everything from `prefix` octets before the packet's start to the end of the buffer,
    /// and returns the number of octets that it wrote; the packet follows the prefix.
    @inline(always)
    public mutating func fill<Failure: Error>(
        prefix: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        precondition(prefix >= 0 && prefix <= Self.headroom)
        reset()
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[(Self.headroom - prefix)...])
        let written = unsafe try body(target)
        precondition(written <= target.count)
        end = Self.headroom + max(0, written - prefix)
    }

    /// Lets a system call read the packet with `prefix` octets of headroom before it, which it may write first.
    @inline(always)
    public mutating func withBytes<Result, Failure: Error>(
        prefix: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(prefix >= 0 && prefix <= start)
        return unsafe try body(UnsafeMutableRawBufferPointer(rebasing: storage[(start - prefix)..<end]))
    }
}

// A buffer owns its memory, and no other pointer refers to it.
extension PacketBuffer: @unchecked Sendable {}
