/// The functions that an ELF file asks of shared libraries: the undefined symbols of its dynamic symbol table.
///
///     ELF header ──► section headers ──► SHT_DYNSYM ──► symbols: name, section index (0: undefined)
///                                            └─ sh_link ──► names
package struct DynamicImports: Equatable, Sendable {
    package private(set) var names: Set<String> = []

    /// Longer names are nobody's that is looked for.
    private static let nameLimit = 256
    /// SHT_DYNSYM
    private static let dynamicSymbols = 11

    /// `nil` of a file that is no ELF, or one without a table of sections.
    /// - Parameter read: as many octets of the file as it has there: (count, offset).
    package init?(_ read: @escaping (Int, Int) -> [UInt8]) {
        guard let file = ELFSections(read) else { return nil }
        // A file has one such table at most (gABI, "Sections").
        guard let section = file.sections.first(where: { $0.type == Self.dynamicSymbols }),
            file.sections.indices.contains(section.link)
        else { return }
        let symbols = ELFFields(octets: file.contents(of: section), isBigEndian: file.isBigEndian)
        take(symbols, file.contents(of: file.sections[section.link]), file.layout)
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
