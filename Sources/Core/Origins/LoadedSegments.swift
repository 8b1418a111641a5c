/// Which octets of an ELF file come into memory when it is run: the segments of the type PT_LOAD in its program headers (ELF-64 and
/// ELF-32, little-endian).
package struct LoadedSegments: Sendable {
    /// Offsets in the file, within it.
    package private(set) var ranges: [Range<Int>] = []

    private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]
    /// More would be no program.
    private static let maximum = 64
    /// PT_LOAD
    private static let load = 1

    /// `nil` of a file that is none.
    package init?(_ file: [UInt8]) {
        guard file.starts(with: Self.magic), file.count >= 64, file[5] == 1 else { return nil }
        let isWide = file[4] == 2
        // e_phoff, e_phentsize, e_phnum
        guard let table = Self.number(file, at: isWide ? 32 : 28, size: isWide ? 8 : 4),
            let size = Self.number(file, at: isWide ? 54 : 42, size: 2),
            let count = Self.number(file, at: isWide ? 56 : 44, size: 2)
        else { return nil }
        guard size >= (isWide ? 56 : 32), table < file.count else { return nil }
        for index in 0..<min(count, Self.maximum) {
            let header = table + index * size
            // p_type, p_offset, p_filesz
            guard Self.number(file, at: header, size: 4) == Self.load,
                let start = Self.number(file, at: header + (isWide ? 8 : 4), size: isWide ? 8 : 4),
                let length = Self.number(file, at: header + (isWide ? 32 : 16), size: isWide ? 8 : 4),
                start < file.count
            else { continue }
            ranges.append(start..<start + min(length, file.count - start))
        }
    }

    /// `nil` outside of the file, and if it is no offset that a file could have.
    private static func number(_ file: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= file.count - size else { return nil }
        let number = file[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number <= UInt64(Int32.max) ? Int(number) : nil
    }
}
