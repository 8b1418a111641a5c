/// The sections of an ELF file, of which a part is read when it is asked for.
///
/// Every number in it is the file's own claim: what does not fit is not there, and no table is read beyond a limit.
struct ELFSections {
    struct Section {
        let type, flags, offset, length: Int
        /// The section with the names of this one's symbols.
        let link: Int
    }

    let sections: [Section]
    let layout: ELFLayout
    let isBigEndian: Bool
    private let read: (Int, Int) -> [UInt8]

    static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]
    private static let sectionLimit = 4096
    private static let tableLimit = 16 << 20

    /// `nil` of a file that is no ELF, or one without a table of sections.
    /// - Parameter read: as many octets of the file as it has there: (count, offset).
    init?(_ read: @escaping (Int, Int) -> [UInt8]) {
        let start = read(64, 0)
        guard start.starts(with: Self.magic), start.count >= 52, let layout = ELFLayout(class: start[4]) else {
            return nil
        }
        let header = ELFFields(octets: start, isBigEndian: start[5] == 2)
        guard let table = header.number(at: layout.sections, size: layout.word), table > 0,
            let size = header.number(at: layout.sectionSize, size: 2), size >= layout.sectionLength,
            let claimed = header.number(at: layout.sectionSize + 2, size: 2)
        else { return nil }
        let count = min(claimed, Self.sectionLimit)
        let fields = ELFFields(
            octets: read(min(size * count, Self.tableLimit), table), isBigEndian: header.isBigEndian)
        sections = (0..<count).map { index in
            let place = index * size
            // What cannot be read is a section of no type, and nothing is looked for in it.
            guard let type = fields.number(at: place + 4, size: 4),
                let flags = fields.number(at: place + 8, size: layout.word),
                let offset = fields.number(at: place + layout.sectionOffset, size: layout.word),
                let length = fields.number(at: place + layout.sectionOffset + layout.word, size: layout.word),
                let link = fields.number(at: place + layout.sectionLink, size: 4)
            else { return Section(type: 0, flags: 0, offset: 0, length: 0, link: 0) }
            return Section(type: type, flags: flags, offset: offset, length: length, link: link)
        }
        self.layout = layout
        isBigEndian = header.isBigEndian
        self.read = read
    }

    func contents(of section: Section) -> [UInt8] { read(min(section.length, Self.tableLimit), section.offset) }
}

/// Where the fields stand in files of 32 and of 64 bits (System V ABI, "Object Files").
struct ELFLayout {
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
struct ELFFields {
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
