// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import CallTracing

/// Tests with structures of Go's runtime, made here and read from this process's memory.
@Suite struct `The makers of a goroutine` {
    /// Words whose address does not change during their lifetime.
    @safe private final class Words {
        private let words: UnsafeMutableBufferPointer<UInt64>
        let address: UInt64

        init(_ contents: [UInt64]) {
            unsafe words = .allocate(capacity: contents.count)
            _ = unsafe words.initialize(from: contents)
            address = unsafe UInt64(UInt(bitPattern: words.baseAddress))
        }

        deinit { unsafe words.deallocate() }
    }

    private let memory = ClientMemory(process: getpid(), is32Bit: false)

    private func makers(of goroutine: Words, registers count: Int = 33) -> [UInt64]? {
        Goroutine([UInt64](repeating: goroutine.address, count: count), in: memory)?.makers
    }

    @Test func `are those of each generation, the innermost first`() {
        let (first, second) = (Words([0x401000, 0x402000]), Words([0x403000]))
        let infos = Words([first.address, 2, 2, 18, 0x404000, second.address, 1, 1, 1, 0])
        let ancestors = Words([infos.address, 2, 2])
        let goroutine = Words([7, 8, 9, 0x400000, ancestors.address] + [UInt64](repeating: 0, count: 64))
        #expect(makers(of: goroutine) == [0x401000, 0x402000, 0x403000])
        #expect(makers(of: goroutine, registers: 3) == nil)
    }

    @Test(
        arguments: [
            [0, 1, 1], [0x10, 1, 1], [.max, 1, 1], [0x1000, 1, 2], [0x1000, 6, 6], [0x1000, .max, .max],
        ] as [[UInt64]])
    func `are none where a slice is not what the runtime makes`(_ slice: [UInt64]) {
        let ancestors = Words(slice)
        #expect(makers(of: Words([ancestors.address] + [UInt64](repeating: 0, count: 64))) == nil)
    }

    @Test func `are none where a stack is empty, or too deep`() {
        for count: UInt64 in [0, 101] {
            let infos = Words([8, count, count, 18, 0x404000])
            let ancestors = Words([infos.address, 1, 1])
            #expect(makers(of: Words([ancestors.address] + [UInt64](repeating: 0, count: 64))) == nil)
        }
    }
}
