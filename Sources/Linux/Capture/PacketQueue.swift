// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Synchronization
import Wire

/// A queue of packets from one thread to another: a ring of octets with a fixed size.
///
///      0       8      12      16
///     +-------+-------+-------+------------------+
///     | time  | count | –     | packet … padding |   a record: a multiple of 16 octets, never in two pieces
///     +-------+-------+-------+------------------+
///
/// Theory of operation. One thread calls `put`: it never waits, takes no lock and allocates nothing. One other thread calls `takeAll` and
/// `awaitPackets`. `end` counts all octets that were ever put in, `start` those that were taken out; each is written by one of the two.
/// Space at the end of the ring that is too short for a record is skipped.
@safe
final class PacketQueue {
    /// The kernel allocates a page only when it is first used.
    private let octets: UnsafeMutableRawBufferPointer
    private let start = Atomic(0)
    private let end = Atomic(0)
    private let isAwaited = Atomic(false)
    private let wakeUp: EventSignal

    /// Number of packets that were put in, and of those for which there was no room.
    private let accepted = Atomic(0)
    private let rejected = Atomic(0)

    private static let headerSize = 16
    /// In place of a record's count: the next record is at the beginning of the ring.
    private static let skip = UInt32.max

    /// - Parameter capacity: in octets, a power of two.
    init(capacity: Int) throws(SystemError) {
        precondition(capacity >= 32 && capacity & (capacity - 1) == 0)
        wakeUp = try EventSignal()
        unsafe octets = .allocate(byteCount: capacity, alignment: Self.headerSize)
    }

    deinit { unsafe octets.deallocate() }

    // MARK: - For the writing thread

    /// - Returns: false if there is no room for the packet.
    func put(_ packet: Span<UInt8>, at time: Int64) -> Bool {
        let capacity = unsafe octets.count
        let size = Self.headerSize + (packet.count + Self.headerSize - 1) / Self.headerSize * Self.headerSize
        let end = self.end.load(ordering: .relaxed)
        let offset = end & (capacity - 1)
        let skipped = size <= capacity - offset ? 0 : capacity - offset
        guard capacity - (end - start.load(ordering: .acquiring)) >= skipped + size else { return false }
        if skipped > 0 { write(Self.skip, 0, at: offset) }
        let record = skipped > 0 ? 0 : offset
        write(UInt32(packet.count), time, at: record)
        unsafe packet.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: octets[(record + Self.headerSize)...]).copyMemory(
                from: bytes)
        }
        accepted.add(1, ordering: .relaxed)
        self.end.store(end + skipped + size, ordering: .sequentiallyConsistent)
        // The other thread sets the flag before it checks the queue for the last time: one of the two sees the other.
        if isAwaited.load(ordering: .sequentiallyConsistent) { wake() }
        return true
    }

    /// Counts a packet as lost because there was no room.
    func reject() { rejected.add(1, ordering: .relaxed) }

    /// Number of octets that were taken out; never decreases.
    var progress: Int { start.load(ordering: .relaxed) }

    private func write(_ count: UInt32, _ time: Int64, at offset: Int) {
        unsafe octets.storeBytes(of: time, toByteOffset: offset, as: Int64.self)
        unsafe octets.storeBytes(of: count, toByteOffset: offset + 8, as: UInt32.self)
    }

    // MARK: - For the reading thread

    /// Passes on the packets that are in the queue now, in order.
    /// - Returns: the number of packets.
    func takeAll(_ take: (Span<UInt8>, Int64) -> Void) -> Int {
        let capacity = unsafe octets.count
        let end = self.end.load(ordering: .acquiring)
        var start = self.start.load(ordering: .relaxed)
        var number = 0
        while start != end {
            let offset = start & (capacity - 1)
            let count = unsafe octets.load(fromByteOffset: offset + 8, as: UInt32.self)
            if count == Self.skip {
                start += capacity - offset
                continue
            }
            let time = unsafe octets.load(fromByteOffset: offset, as: Int64.self)
            let first = offset + Self.headerSize
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: octets[first..<first + Int(count)])
            unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe take($0.span, time) }
            number += 1
            start += Self.headerSize + (Int(count) + Self.headerSize - 1) / Self.headerSize * Self.headerSize
            self.start.store(start, ordering: .releasing)
        }
        return number
    }

    /// Waits until there are packets, or `wake` is called.
    func awaitPackets() {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        if end.load(ordering: .sequentiallyConsistent) == start.load(ordering: .relaxed) {
            _ = waitForInput(wakeUp.descriptor, until: nil)
        }
        isAwaited.store(false, ordering: .sequentiallyConsistent)
        wakeUp.clear()
    }

    // MARK: - For any thread

    func wake() { wakeUp.wake() }

    var counts: (accepted: Int, rejected: Int) {
        (accepted.load(ordering: .relaxed), rejected.load(ordering: .relaxed))
    }
}

// The octets between `start` and `end` belong to the reading thread, all others to the writing one.
extension PacketQueue: @unchecked Sendable {}
