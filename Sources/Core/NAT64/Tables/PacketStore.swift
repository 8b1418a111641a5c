// SPDX-License-Identifier: Apache-2.0
import Wire

/// Waiting packets, in a fixed amount of memory: fragments before their first one, and IPv4 SYNs.
///
/// Theory of operation. The memory consists of blocks of `blockSize` octets. A packet is a chain of blocks, identified by its first one;
/// packets may in turn be chained into a list. When no block is left, nothing more is stored. All memory is allocated when the first packet
/// arrives, as most runs never store one.
struct PacketStore: ~Copyable {
    static let blockSize = 512

    private var octets: [UInt8] = []
    private var nextBlock: [UInt32] = []
    private var lengths: [UInt32] = []
    private var nextPackets: [UInt32] = []
    private var firstFree = noEntry
    private var freeCount: Int
    private let blockCount: Int

    init(capacity: Int) {
        blockCount = max(0, min(capacity / Self.blockSize, Int(noEntry) - 1))
        freeCount = blockCount
    }

    var storedOctets: Int { (blockCount - freeCount) * Self.blockSize }

    private static func blocks(for count: Int) -> Int { max(1, (count + blockSize - 1) / blockSize) }

    /// `nil` if there is no room.
    mutating func store(_ packet: Span<UInt8>) -> UInt32? {
        let needed = Self.blocks(for: packet.count)
        if needed > freeCount { return nil }
        if octets.isEmpty { takeMemory() }
        freeCount -= needed

        let first = firstFree
        var block = first
        var last = first
        for index in 0..<needed {
            let from = index * Self.blockSize
            let base = Int(block) * Self.blockSize
            for offset in 0..<min(Self.blockSize, packet.count - from) { octets[base + offset] = packet[from + offset] }
            last = block
            block = nextBlock[Int(block)]
        }
        firstFree = block
        nextBlock[Int(last)] = noEntry
        lengths[Int(first)] = UInt32(truncatingIfNeeded: packet.count)
        nextPackets[Int(first)] = noEntry
        return first
    }

    /// Copies a packet into `buffer`, without removing it.
    func load(_ packet: UInt32, into buffer: inout PacketBuffer) {
        buffer.reset()
        let count = min(Int(lengths[Int(packet)]), buffer.capacity)
        var block = packet
        while buffer.count < count {
            let base = Int(block) * Self.blockSize
            buffer.append(octets.span.extracting(base..<base + min(Self.blockSize, count - buffer.count)))
            block = nextBlock[Int(block)]
        }
    }

    mutating func remove(_ packet: UInt32) {
        var last = packet
        var count = 1
        while nextBlock[Int(last)] != noEntry {
            last = nextBlock[Int(last)]
            count += 1
        }
        nextBlock[Int(last)] = firstFree
        firstFree = packet
        freeCount += count
    }

    // MARK: - Lists of packets

    func packet(after packet: UInt32) -> UInt32? {
        let next = nextPackets[Int(packet)]
        return next == noEntry ? nil : next
    }

    mutating func append(_ packet: UInt32, after other: UInt32) {
        nextPackets[Int(other)] = packet
    }

    private mutating func takeMemory() {
        octets = Array(repeating: 0, count: blockCount * Self.blockSize)
        lengths = Array(repeating: 0, count: blockCount)
        nextPackets = Array(repeating: noEntry, count: blockCount)
        nextBlock = (0..<UInt32(blockCount)).map { $0 + 1 == UInt32(blockCount) ? noEntry : $0 + 1 }
        firstFree = 0
    }
}
