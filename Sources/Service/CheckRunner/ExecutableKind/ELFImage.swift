/// An executable in the Executable and Linking Format, as far as it tells who loads it and what it was made from.
///
///     ELF header ──► program headers ──► PT_INTERP: the dynamic loader
///                └─► section headers ──► section names ──► .go.buildinfo
///
/// Every number in it is the file's own claim: tables are read up to a limit, and what does not fit is not there.
struct ELFImage: Equatable {
    enum Width: UInt8 {
        case bits32 = 1
        case bits64 = 2
    }

    let width: Width
    /// `e_machine`.
    let machine: UInt16
    /// The dynamic loader's path; `nil` in a static executable.
    let interpreter: String?
    /// What the Go linker noted; `nil` in a program that is not Go's.
    let go: GoBuildInformation?

    static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

    /// Tables beyond these sizes are no compiler's.
    private static let programHeaderLimit = 128
    private static let sectionHeaderLimit = 512
    private static let interpreterLimit = 4096
    private static let sectionNamesLimit = 1 << 16

    /// `nil` if this is no ELF file, or a broken one.
    init?(_ file: borrowing FileBytes) {
        let start = file.read(upTo: Layout.headerSize, at: 0)
        guard start.starts(with: Self.magic), start.count > Layout.data,
            let width = Width(rawValue: start[Layout.width]),
            let fields = Fields(start, isBigEndian: start[Layout.data] == Layout.bigEndian),
            let machine = fields.number16(at: Layout.machine)
        else { return nil }
        self.width = width
        self.machine = machine
        // A program for a machine of 32 bits cannot load our library, whatever else it is.
        guard width == .bits64 else {
            interpreter = nil
            go = nil
            return
        }
        guard start.count == Layout.headerSize else { return nil }
        interpreter = Self.interpreter(fields, in: file)
        go = Self.section(".go.buildinfo", fields, in: file).map {
            GoBuildInformation(file.read(upTo: GoBuildInformation.limit, at: $0))
        }
    }

    private static func interpreter(_ header: Fields, in file: borrowing FileBytes) -> String? {
        guard let table = header.number64(at: Layout.programHeaders),
            let size = header.number16(at: Layout.programHeaderSize), size >= Layout.Segment.size,
            let count = header.number16(at: Layout.programHeaderCount)
        else { return nil }
        for index in 0..<min(Int(count), programHeaderLimit) {
            guard let segment = entry(index, of: table, size: size, like: header, in: file) else { return nil }
            guard segment.number32(at: Layout.Segment.type) == Layout.Segment.interpreter,
                let offset = segment.number64(at: Layout.Segment.offset),
                let length = segment.number64(at: Layout.Segment.fileSize)
            else { continue }
            let text = file.read(upTo: Int(clamping: min(length, UInt64(interpreterLimit))), at: offset)
            return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        return nil
    }

    /// The offset of a section in the file.
    private static func section(_ name: String, _ header: Fields, in file: borrowing FileBytes) -> UInt64? {
        guard let table = header.number64(at: Layout.sectionHeaders), table != 0,
            let size = header.number16(at: Layout.sectionHeaderSize), size >= Layout.Section.size,
            let count = header.number16(at: Layout.sectionHeaderCount),
            let namesIndex = header.number16(at: Layout.sectionNamesIndex),
            let namesSection = entry(Int(namesIndex), of: table, size: size, like: header, in: file),
            let namesOffset = namesSection.number64(at: Layout.Section.offset),
            let namesLength = namesSection.number64(at: Layout.Section.length)
        else { return nil }
        let names = file.read(upTo: Int(clamping: min(namesLength, UInt64(sectionNamesLimit))), at: namesOffset)
        let wanted = Array(name.utf8) + [0]
        for index in 0..<min(Int(count), sectionHeaderLimit) {
            guard let section = entry(index, of: table, size: size, like: header, in: file),
                let start = section.number32(at: Layout.Section.name)
            else { return nil }
            if names.dropFirst(Int(start)).starts(with: wanted) { return section.number64(at: Layout.Section.offset) }
        }
        return nil
    }

    /// One entry of a table in the file.
    private static func entry(
        _ index: Int, of table: UInt64, size: UInt16, like header: Fields, in file: borrowing FileBytes
    ) -> Fields? {
        let (position, overflow) = table.addingReportingOverflow(UInt64(index) * UInt64(size))
        if overflow { return nil }
        return file.read(Int(size), at: position).flatMap { Fields($0, isBigEndian: header.isBigEndian) }
    }
}

/// Offsets in the 64-bit format (System V ABI, "Object Files").
private enum Layout {
    static let width = 4
    static let data = 5
    static let bigEndian: UInt8 = 2
    static let machine = 18
    static let programHeaders = 32
    static let sectionHeaders = 40
    static let programHeaderSize = 54
    static let programHeaderCount = 56
    static let sectionHeaderSize = 58
    static let sectionHeaderCount = 60
    static let sectionNamesIndex = 62
    static let headerSize = 64

    enum Segment {
        static let type = 0
        static let interpreter: UInt32 = 3
        static let offset = 8
        static let fileSize = 32
        static let size = 56
    }

    enum Section {
        static let name = 0
        static let offset = 24
        static let length = 32
        static let size = 64
    }
}

/// Numbers in octets, in the byte order of the file.
private struct Fields {
    let octets: [UInt8]
    let isBigEndian: Bool

    init?(_ octets: [UInt8], isBigEndian: Bool) {
        self.octets = octets
        self.isBigEndian = isBigEndian
    }

    func number16(at offset: Int) -> UInt16? { number(at: offset) }
    func number32(at offset: Int) -> UInt32? { number(at: offset) }
    func number64(at offset: Int) -> UInt64? { number(at: offset) }

    private func number<Number: FixedWidthInteger>(at offset: Int) -> Number? {
        let size = MemoryLayout<Number>.size
        guard offset + size <= octets.count else { return nil }
        let field = octets[offset..<offset + size]
        return (isBigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Number($1) }
    }
}
