// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Wire

@testable import NAT64

@Suite struct PacketStoreTests {
    private static func packet(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func contents(of store: borrowing PacketStore, _ packet: UInt32) -> [UInt8] {
        var buffer = PacketBuffer()
        store.load(packet, into: &buffer)
        return buffer.octets
    }

    private struct Refused: Error {}

    private static func store(_ packet: [UInt8], in store: inout PacketStore) throws -> UInt32 {
        guard let stored = store.store(packet.span) else { throw Refused() }
        return stored
    }

    @Test(arguments: [0, 1, 511, 512, 513, 1_024, 1_500, 65_535])
    func `a packet comes out as it went in`(count: Int) throws {
        var store = PacketStore(capacity: 1 << 20)
        let packet = Self.packet(count, seed: 1)
        let stored = try Self.store(packet, in: &store)
        #expect(Self.contents(of: store, stored) == packet)
    }

    @Test
    func `the memory is bounded, and what is removed makes room`() throws {
        var store = PacketStore(capacity: 4 * PacketStore.blockSize)
        let first = try Self.store(Self.packet(1_000, seed: 1), in: &store)
        let second = try Self.store(Self.packet(900, seed: 2), in: &store)
        #expect(throws: Refused.self) { try Self.store([1], in: &store) }
        store.remove(first)
        #expect(throws: Refused.self) { try Self.store(Self.packet(1_100, seed: 3), in: &store) }
        let third = try Self.store(Self.packet(1_024, seed: 4), in: &store)
        #expect(Self.contents(of: store, second) == Self.packet(900, seed: 2))
        #expect(Self.contents(of: store, third) == Self.packet(1_024, seed: 4))
        #expect(store.storedOctets == 4 * PacketStore.blockSize)
    }

    @Test
    func `a store without memory takes nothing`() {
        var store = PacketStore(capacity: 0)
        #expect(throws: Refused.self) { try Self.store([1], in: &store) }
    }

    @Test
    func `packets make lists in the order of appending`() throws {
        var store = PacketStore(capacity: 1 << 16)
        let packets = try (0..<3).map { try Self.store([UInt8($0)], in: &store) }
        store.append(packets[1], after: packets[0])
        store.append(packets[2], after: packets[1])
        #expect(store.packet(after: packets[0]) == packets[1])
        #expect(store.packet(after: packets[1]) == packets[2])
        #expect(store.packet(after: packets[2]) == nil)
    }
}
