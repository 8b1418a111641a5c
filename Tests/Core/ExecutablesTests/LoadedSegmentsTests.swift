// SPDX-License-Identifier: Apache-2.0
import Executables
import Testing

@Suite struct LoadedSegmentsTests {
    /// An ELF-64 file with one program header.
    private func file(type: UInt8 = 1, offset: UInt8 = 120, length: UInt8 = 8, header: UInt8 = 64) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 128)
        octets.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
        octets[32] = header
        octets[54] = 56
        octets[56] = 1
        octets[64] = type
        octets[72] = offset
        octets[96] = length
        return octets
    }

    @Test func `a segment that is loaded is a range of the file`() {
        #expect(LoadedSegments(file())?.ranges == [120..<128])
        #expect(LoadedSegments(file(type: 2))?.ranges == [])
    }

    @Test func `what a header says beyond the file is not there`() {
        #expect(LoadedSegments(file(length: 255))?.ranges == [120..<128])
        #expect(LoadedSegments(file(offset: 200))?.ranges == [])
        #expect(LoadedSegments(file(header: 200)) == nil)
    }

    @Test func `any change of an octet, and any length, is read or refused`() {
        let octets = file()
        for length in 0...octets.count { _ = LoadedSegments(Array(octets.prefix(length))) }
        for index in octets.indices {
            for value: UInt8 in [0, 1, 0x7f, 0x80, 0xff] {
                var changed = octets
                changed[index] = value
                let ranges = LoadedSegments(changed)?.ranges ?? []
                #expect(ranges.allSatisfy { $0.upperBound <= octets.count })
            }
        }
    }

    @Test func `a text is no program`() {
        #expect(LoadedSegments(Array("#!/bin/sh\n".utf8)) == nil)
    }
}
