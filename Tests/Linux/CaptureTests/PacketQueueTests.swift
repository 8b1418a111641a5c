// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Synchronization
import Testing
import Wire

@testable import Capture

@Suite struct PacketQueueTests {
    private func packet(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }

    @Test func `packets come out whole and in order, whatever their lengths and the seam`() throws {
        let queue = try PacketQueue(capacity: 4096)
        var number = 0
        for round in 0..<2000 {
            let count = round * 37 % 700
            let isIn = queue.put(packet(count, round).span, at: Int64(round))
            #expect(isIn)
            guard round % 3 == 2 else { continue }
            _ = queue.takeAll { bytes, time in
                #expect(time == Int64(number))
                #expect(bytes.count == number * 37 % 700)
                #expect((0..<bytes.count).allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
                number += 1
            }
        }
        #expect(number == 1998)
        #expect(queue.counts == (2000, 0))
    }

    @Test func `what does not fit is not taken, and what is there stays`() throws {
        let queue = try PacketQueue(capacity: 256)
        var fits = (0..<10).map { queue.put(packet(48, $0).span, at: Int64($0)) }
        #expect(fits == [true, true, true, true, false, false, false, false, false, false])
        var times: [Int64] = []
        #expect(queue.takeAll { _, time in times.append(time) } == 4)
        #expect(times == [0, 1, 2, 3])
        fits = [queue.put(packet(300, 0).span, at: 9)]
        #expect(fits == [false])
        #expect(queue.counts == (4, 0))
    }

    @Test func `two threads at once lose nothing and wake each other`() throws {
        let queue = try PacketQueue(capacity: 1 << 16)
        let sum = Atomic(0)
        let total = 20_000
        let taker = try WorkerThread.start(name: "taker") {
            var taken = 0
            while taken < total {
                taken += queue.takeAll { bytes, _ in sum.add(Int(bytes[0]), ordering: .relaxed) }
                if taken < total { queue.awaitPackets() }
            }
        }
        var expected = 0
        for number in 0..<total {
            let bytes = packet(1 + number % 500, number)
            expected += Int(bytes[0])
            // The taker may be slower than we are.
            while !queue.put(bytes.span, at: 0) {}
        }
        taker.join()
        #expect(sum.load(ordering: .relaxed) == expected)
    }
}
