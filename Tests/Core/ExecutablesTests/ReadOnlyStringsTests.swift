// SPDX-License-Identifier: Apache-2.0
import Executables
import Foundation
import Testing

struct ReadOnlyStringsTests {
    private func texts(_ file: [UInt8]) -> [String]? {
        ReadOnlyStrings({ count, offset in Array(file.dropFirst(offset).prefix(count)) }, where: { $0.count > 2 })?
            .texts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// One section of a file of 32 bits, with the flags that are given.
    private func file(flags: UInt8, text: String = "10.1.2.3\0ab\0abc\010.1.2.3\0") -> [UInt8] {
        var file = [UInt8](repeating: 0, count: 104)
        file.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 1, 1])
        file[32] = 64
        file[46] = 40
        file[48] = 1
        file[64 + 4] = 1
        file[64 + 8] = flags
        file[64 + 16] = 104
        file[64 + 20] = UInt8(text.utf8.count)
        return file + Array(text.utf8)
    }

    @Test func `texts of read-only data are read, each once`() {
        #expect(texts(file(flags: 2)) == ["10.1.2.3", "abc"])
        #expect(texts(file(flags: 2 | 0x10)) == ["10.1.2.3", "abc"])
    }

    @Test(arguments: [UInt8(0), 3, 6]) func `what is not loaded, written or run is not`(flags: UInt8) {
        #expect(texts(file(flags: flags)) == [])
    }

    @Test func `no file that is cut or spoilt traps`() {
        let whole = file(flags: 2)
        for end in 0...whole.count { _ = texts(Array(whole[..<end])) }
        for place in whole.indices {
            for octet in [UInt8(0), 1, 0x7f, 0x80, 0xff] {
                var spoilt = whole
                spoilt[place] = octet
                _ = texts(spoilt)
            }
        }
        #expect(texts(Array("#!/bin/sh\n".utf8)) == nil)
    }

    @Test func `a table that claims the same large section many times is not read without end`() {
        var file = [UInt8](repeating: 0, count: 104)
        file.replaceSubrange(0..<64, with: self.file(flags: 2).prefix(64))
        (file[48], file[49]) = (0xff, 0x0f)
        let section = Array(self.file(flags: 2)[64..<104])
        var octets = 0
        _ = ReadOnlyStrings(
            { count, offset in
                octets += count
                if offset == 0 { return Array(file.prefix(count)) }
                if offset == 64 {
                    return (0..<(count / 40)).flatMap { _ in section[..<20] + [0, 0, 0, 1] + section[24...] }
                }
                return [UInt8](repeating: 0, count: count)
            }, where: { _ in true })
        #expect(octets < 128 << 20)
    }
}
