// SPDX-License-Identifier: Apache-2.0
/// The offsets of the fields in files of 32 and of 64 bits (System V ABI, "Object Files").
struct ELFLayout {
    static let width = 4
    static let byteOrder = 5
    static let bigEndian: UInt8 = 2
    static let machine = 18
    static let longestHeader = 64

    /// The size of an address or an offset, and of the ELF header, in octets.
    let word, header: Int
    /// e_phoff; e_phentsize, followed by e_phnum; the length of a program header
    let segments, segmentSize, segment: Int
    /// p_offset; p_filesz
    let segmentOffset, segmentLength: Int
    /// e_shoff; e_shentsize, followed by e_shnum; the length of a section header; e_shstrndx
    let sections, sectionSize, section, namesIndex: Int
    /// sh_offset, followed by sh_size; sh_link
    let sectionOffset, sectionLink: Int
    /// st_shndx; the length of a symbol
    let symbolSection, symbol: Int

    init(_ width: ELFFile.Width) {
        switch width {
        case .bits32:
            (word, header) = (4, 52)
            (segments, segmentSize, segment) = (28, 42, 32)
            (segmentOffset, segmentLength) = (4, 16)
            (sections, sectionSize, section, namesIndex) = (32, 46, 40, 50)
            (sectionOffset, sectionLink) = (16, 24)
            (symbolSection, symbol) = (14, 16)
        case .bits64:
            (word, header) = (8, 64)
            (segments, segmentSize, segment) = (32, 54, 56)
            (segmentOffset, segmentLength) = (8, 32)
            (sections, sectionSize, section, namesIndex) = (40, 58, 64, 62)
            (sectionOffset, sectionLink) = (24, 40)
            (symbolSection, symbol) = (6, 24)
        }
    }
}

/// Numbers in octets, in the byte order of the file.
struct ELFFields {
    private let octets: ArraySlice<UInt8>
    let isBigEndian: Bool

    init(_ octets: some Collection<UInt8>, isBigEndian: Bool) {
        self.octets = ArraySlice(octets)
        self.isBigEndian = isBigEndian
    }

    /// No file is as long. The sum of two of these does not overflow.
    private static let largest = UInt64(Int.max / 2)

    /// `nil` if it is outside of the octets, or no offset that a file can have.
    func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, size <= octets.count, offset <= octets.count - size else { return nil }
        let start = octets.startIndex + offset
        var number: UInt64 = 0
        for index in 0..<size {
            number = number << 8 | UInt64(octets[start + (isBigEndian ? index : size - 1 - index)])
        }
        return number <= Self.largest ? Int(number) : nil
    }
}
