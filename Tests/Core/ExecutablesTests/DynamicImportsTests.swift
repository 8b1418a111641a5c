// SPDX-License-Identifier: Apache-2.0
import Executables
import Foundation
import Testing

struct DynamicImportsTests {
    /// A reader of octets, as of a file.
    private func imports(_ file: [UInt8]) -> Set<String>? {
        DynamicImports { count, offset in Array(file.dropFirst(offset).prefix(count)) }?.names
    }

    private func put(_ number: Int, _ size: Int, at offset: Int, _ file: inout [UInt8], isBigEndian: Bool = false) {
        for index in 0..<size {
            let shift = 8 * (isBigEndian ? size - 1 - index : index)
            file[offset + index] = UInt8(truncatingIfNeeded: number >> shift)
        }
    }

    /// Two sections of a file of 64 bits: symbols (none, `inet_addr` undefined, `main` defined) and their names.
    private func file(isBigEndian: Bool = false) -> [UInt8] {
        var file = [UInt8](repeating: 0, count: 512)
        func put(_ number: Int, _ size: Int, at offset: Int) {
            self.put(number, size, at: offset, &file, isBigEndian: isBigEndian)
        }
        file.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, isBigEndian ? 2 : 1])
        put(64, 8, at: 40)
        put(64, 2, at: 58)
        put(2, 2, at: 60)
        // The section of symbols, its names in section 1.
        put(11, 4, at: 64 + 4)
        put(200, 8, at: 64 + 24)
        put(72, 8, at: 64 + 32)
        put(1, 4, at: 64 + 40)
        // The section of names.
        put(3, 4, at: 128 + 4)
        put(300, 8, at: 128 + 24)
        put(16, 8, at: 128 + 32)
        put(1, 4, at: 224)
        put(11, 4, at: 248)
        put(5, 2, at: 248 + 6)
        file.replaceSubrange(301..<316, with: Array("inet_addr\0main\0".utf8))
        return file
    }

    @Test(arguments: [false, true])
    func `an undefined symbol is an import, a defined one is none, in both byte orders`(isBigEndian: Bool) {
        #expect(imports(file(isBigEndian: isBigEndian)) == ["inet_addr"])
    }

    @Test func `this program's own libraries are read`() throws {
        let program = try Data(contentsOf: URL(fileURLWithPath: "/usr/bin/env"))
        let names = try #require(imports(Array(program)))
        #expect(names.contains("__libc_start_main"))
    }

    @Test func `no file that is cut or spoilt traps`() {
        let whole = file()
        for end in 0...whole.count { _ = imports(Array(whole[..<end])) }
        for place in 0..<320 {
            for octet in [UInt8(0), 1, 0x7f, 0x80, 0xff] {
                var spoilt = whole
                spoilt[place] = octet
                _ = imports(spoilt)
            }
        }
        #expect(imports(Array("#!/bin/sh\n".utf8)) == nil)
    }
}
