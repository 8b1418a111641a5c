// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Makes small ELF files by hand: as much of one as `ELFProgram` looks at.
struct ELFBuilder {
    var width: UInt8 = 2
    var machine: UInt16?
    var interpreter: String?
    var goBuildInformation: [UInt8]?

    /// The machine for which this test was compiled.
    static let ownMachine: UInt16 = {
        let start = contents(of: "/proc/self/exe", upTo: 20)
        return UInt16(start[18]) | UInt16(start[19]) << 8
    }()

    var octets: [UInt8] {
        let names = Array("\0.go.buildinfo\0.shstrtab\0".utf8)
        let loader: [UInt8] = interpreter.map { Array($0.utf8) + [0] } ?? []
        let go = goBuildInformation ?? []
        let segments: UInt64 = 64
        let contents = segments + 56
        let sections = contents + UInt64(loader.count + go.count + names.count)

        var file: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, width, 1, 1] + [UInt8](repeating: 0, count: 9)
        file += le(UInt16(3)) + le(machine ?? Self.ownMachine) + le(UInt32(1)) + le(UInt64(0))
        file += le(segments) + le(sections) + le(UInt32(0)) + le(UInt16(64)) + le(UInt16(56)) + le(UInt16(1))
        file += le(UInt16(64)) + le(UInt16(goBuildInformation == nil ? 2 : 3)) + le(UInt16(1))

        // PT_INTERP, or PT_LOAD where there is no loader.
        file += le(UInt32(interpreter == nil ? 1 : 3)) + le(UInt32(4)) + le(contents) + le(UInt64(0)) + le(UInt64(0))
        file += le(UInt64(loader.count)) + le(UInt64(loader.count)) + le(UInt64(1))
        file += loader + go + names

        file += [UInt8](repeating: 0, count: 64)
        file += section(name: 15, at: contents + UInt64(loader.count + go.count), length: names.count)
        if goBuildInformation != nil {
            file += section(name: 1, at: contents + UInt64(loader.count), length: go.count)
        }
        return file
    }

    /// As the Go linker writes it since Go 1.18.
    static func goInformation(version: String, settings: String) -> [UInt8] {
        [0xff] + Array(" Go buildinf:".utf8) + [8, 2] + [UInt8](repeating: 0, count: 16) + text(version)
            + text(settings)
    }

    private static func text(_ text: String) -> [UInt8] {
        let octets = Array(text.utf8)
        precondition(octets.count < 1 << 14)
        return [UInt8(octets.count & 0x7f) | 0x80, UInt8(octets.count >> 7)] + octets
    }

    private func section(name: UInt32, at offset: UInt64, length: Int) -> [UInt8] {
        le(name) + le(UInt32(1)) + le(UInt64(0)) + le(UInt64(0)) + le(offset) + le(UInt64(length))
            + [UInt8](repeating: 0, count: 24)
    }

    private func le<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<MemoryLayout<Number>.size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// A file with these octets, for the time of the body.
func withFile<Result>(_ octets: [UInt8], _ body: (String) throws -> Result) rethrows -> Result {
    var name = Array("/tmp/executable-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    precondition(descriptor >= 0)
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unsafe unlink(path) }
    let written = unsafe write(descriptor, octets, octets.count)
    precondition(written == octets.count && close(descriptor) == 0)
    return try body(path)
}

func append(_ octets: [UInt8], to path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND)
    let written = unsafe write(descriptor, octets, octets.count)
    precondition(written == octets.count && close(descriptor) == 0)
}

func contents(of path: String, upTo limit: Int) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    var octets = [UInt8](repeating: 0, count: limit)
    let count = unsafe read(descriptor, &octets, limit)
    close(descriptor)
    return Array(octets.prefix(max(0, count)))
}
