// SPDX-License-Identifier: Apache-2.0
/// The headers of a file in the Executable and Linking Format (System V ABI, "Object Files"), of 32 and of 64 bits, in either byte order.
///
///     ELF header ──► program headers ──► segments: what comes into memory
///                └─► section headers ──► sections: what linkers and debuggers want
///
/// Every number in it is an unverified claim of the file: invalid entries count as missing, no table is read beyond a limit, and no number
/// is so large that adding a length could overflow.
package struct ELFFile: Sendable {
    /// Returns up to `count` octets of a file at the offset, possibly none.
    package typealias Reader = (_ count: Int, _ offset: Int) -> [UInt8]

    package enum Width: UInt8, Sendable {
        case bits32 = 1
        case bits64 = 2
    }

    package struct Segment: Sendable {
        package let type, offset, length: Int

        package static let load = 1
        package static let interpreter = 3
    }

    package struct Section: Sendable {
        /// The offset of its name among the names of sections.
        package let name: Int
        package let type, flags, offset, length: Int
        /// The index of the associated section: for a symbol table, the section with the symbols' names.
        package let link: Int

        /// SHT_PROGBITS and SHT_DYNSYM
        package static let program = 1
        package static let dynamicSymbols = 11
        /// SHF_WRITE, SHF_ALLOC and SHF_EXECINSTR
        package static let writable = 1
        package static let loaded = 2
        package static let executable = 4
    }

    package let width: Width
    package let isBigEndian: Bool
    /// `e_machine`.
    package let machine: Int
    package let segments: [Segment]
    package let sections: [Section]
    /// The index of the section with the names of all sections.
    package let namesIndex: Int

    private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]
    /// No compiler makes longer tables.
    private static let segmentLimit = 128
    private static let sectionLimit = 4096

    /// `nil` if the file is no ELF, or ends within its header.
    package init?(_ read: Reader) {
        let start = read(ELFLayout.longestHeader, 0)
        guard start.starts(with: Self.magic), start.count > ELFLayout.byteOrder,
            let width = Width(rawValue: start[ELFLayout.width])
        else { return nil }
        let layout = ELFLayout(width)
        let header = ELFFields(start, isBigEndian: start[ELFLayout.byteOrder] == ELFLayout.bigEndian)
        guard start.count >= layout.header, let machine = header.number(at: ELFLayout.machine, size: 2),
            let namesIndex = header.number(at: layout.namesIndex, size: 2)
        else { return nil }
        self.width = width
        self.machine = machine
        self.namesIndex = namesIndex
        isBigEndian = header.isBigEndian

        /// The entries of a table, whose offset, entry size and count are in the header. Linux and libelf accept no other entry size.
        func entries(_ place: Int, _ size: Int, of length: Int, limit: Int) -> [ELFFields] {
            guard let table = header.number(at: place, size: layout.word), table > 0,
                header.number(at: size, size: 2) == length, let count = header.number(at: size + 2, size: 2)
            else { return [] }
            let octets = read(min(count, limit) * length, table)
            return stride(from: 0, through: octets.count - length, by: length).map {
                ELFFields(octets[$0..<$0 + length], isBigEndian: header.isBigEndian)
            }
        }
        segments = entries(layout.segments, layout.segmentSize, of: layout.segment, limit: Self.segmentLimit).map {
            Segment(
                type: $0.number(at: 0, size: 4) ?? 0,
                offset: $0.number(at: layout.segmentOffset, size: layout.word) ?? .max,
                length: $0.number(at: layout.segmentLength, size: layout.word) ?? 0)
        }
        sections = entries(layout.sections, layout.sectionSize, of: layout.section, limit: Self.sectionLimit).map {
            Section(
                name: $0.number(at: 0, size: 4) ?? 0, type: $0.number(at: 4, size: 4) ?? 0,
                flags: $0.number(at: 8, size: layout.word) ?? 0,
                offset: $0.number(at: layout.sectionOffset, size: layout.word) ?? 0,
                length: $0.number(at: layout.sectionOffset + layout.word, size: layout.word) ?? 0,
                link: $0.number(at: layout.sectionLink, size: 4) ?? 0)
        }
    }

    /// The contents of a section, at most `limit` octets.
    package func contents(of section: Section, limit: Int, _ read: Reader) -> [UInt8] {
        read(min(section.length, limit), section.offset)
    }
}
