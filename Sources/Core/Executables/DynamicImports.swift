/// The functions that an ELF file asks of shared libraries: the undefined symbols of its dynamic symbol table.
///
///     ELF header ──► section headers ──► SHT_DYNSYM ──► symbols: name, section index (0: undefined)
///                                            └─ sh_link ──► names
///
/// Every number in it is the file's own claim: what does not fit is not there, and no table is read beyond a limit.
package struct DynamicImports: Equatable, Sendable {
    package private(set) var names: Set<String> = []

    package static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

    private static let sectionLimit = 4096
    private static let tableLimit = 16 << 20
    /// Longer names are nobody's that is looked for.
    private static let nameLimit = 256
    /// SHT_DYNSYM
    private static let dynamicSymbols = 11

    /// `nil` of a file that is no ELF, or one without a table of sections.
    /// - Parameter read: as many octets of the file as it has there: (count, offset).
    package init?(_ read: (Int, Int) -> [UInt8]) {
        let start = read(64, 0)
        guard start.starts(with: Self.magic), start.count >= 52, let layout = ELFLayout(class: start[4]) else {
            return nil
        }
        let header = ELFFields(octets: start, isBigEndian: start[5] == 2)
        guard let table = header.number(at: layout.sections, size: layout.word), table > 0,
            let size = header.number(at: layout.sectionSize, size: 2), size >= layout.sectionLength,
            let count = header.number(at: layout.sectionSize + 2, size: 2)
        else { return nil }
        let sections = ELFFields(
            octets: read(min(size * min(count, Self.sectionLimit), Self.tableLimit), table),
            isBigEndian: header.isBigEndian)
        for index in 0..<min(count, Self.sectionLimit) {
            let place = index * size
            guard sections.number(at: place + 4, size: 4) == Self.dynamicSymbols,
                let link = sections.number(at: place + layout.sectionLink, size: 4), link < count,
                let symbols = Self.contents(of: place, in: sections, layout, read),
                let strings = Self.contents(of: link * size, in: sections, layout, read)
            else { continue }
            take(ELFFields(octets: symbols, isBigEndian: header.isBigEndian), strings, layout)
        }
    }

    private static func contents(
        of section: Int, in sections: ELFFields, _ layout: ELFLayout, _ read: (Int, Int) -> [UInt8]
    ) -> [UInt8]? {
        guard let offset = sections.number(at: section + layout.sectionOffset, size: layout.word),
            let length = sections.number(at: section + layout.sectionOffset + layout.word, size: layout.word)
        else { return nil }
        return read(min(length, tableLimit), offset)
    }

    private mutating func take(_ symbols: ELFFields, _ strings: [UInt8], _ layout: ELFLayout) {
        for place in stride(from: 0, to: symbols.octets.count, by: layout.symbolLength) {
            guard let name = symbols.number(at: place, size: 4), name > 0, name < strings.count,
                symbols.number(at: place + layout.symbolSection, size: 2) == 0
            else { continue }
            let octets = strings[name...].prefix(Self.nameLimit).prefix { $0 != 0 }
            if octets.count < Self.nameLimit { names.insert(String(decoding: octets, as: UTF8.self)) }
        }
    }
}

/// Where the fields stand in files of 32 and of 64 bits (System V ABI, "Object Files").
private struct ELFLayout {
    /// Octets of an address or an offset.
    let word: Int
    /// e_shoff; e_shentsize, behind which stands e_shnum
    let sections, sectionSize: Int
    /// sh_offset, behind which stands sh_size; sh_link; the length of a section header
    let sectionOffset, sectionLink, sectionLength: Int
    /// st_shndx; the length of a symbol
    let symbolSection, symbolLength: Int

    init?(class width: UInt8) {
        switch width {
        case 1:
            (word, sections, sectionSize) = (4, 32, 46)
            (sectionOffset, sectionLink, sectionLength) = (16, 24, 40)
            (symbolSection, symbolLength) = (14, 16)
        case 2:
            (word, sections, sectionSize) = (8, 40, 58)
            (sectionOffset, sectionLink, sectionLength) = (24, 40, 64)
            (symbolSection, symbolLength) = (6, 24)
        default: return nil
        }
    }
}

/// Numbers in octets, in the byte order of the file.
private struct ELFFields {
    let octets: [UInt8]
    let isBigEndian: Bool

    /// `nil` outside of the octets, and if it is no offset that a file could have.
    func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, size <= octets.count, offset <= octets.count - size else { return nil }
        let field = octets[offset..<offset + size]
        let number = (isBigEndian ? Array(field) : field.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number <= UInt64(Int32.max) ? Int(number) : nil
    }
}
