// SPDX-License-Identifier: Apache-2.0
/// The functions that an ELF file imports from shared libraries: the undefined symbols of its dynamic symbol table.
///
///     sections ──► SHT_DYNSYM ──► symbols: name, section index (0: undefined)
///                      └─ sh_link ──► names
package struct DynamicImports: Equatable, Sendable {
    package private(set) var names: Set<String> = []

    private static let tableLimit = 16 << 20
    /// Linkers make only one table.
    private static let tableCountLimit = 4
    /// No name of interest is longer.
    private static let nameLimit = 256

    /// `nil` if the file is no ELF, or has no table of sections.
    package init?(_ read: ELFFile.Reader) {
        guard let file = ELFFile(read), !file.sections.isEmpty else { return nil }
        let tables = file.sections.filter { $0.type == ELFFile.Section.dynamicSymbols }
        for table in tables.prefix(Self.tableCountLimit) where file.sections.indices.contains(table.link) {
            let symbols = file.contents(of: table, limit: Self.tableLimit, read)
            let strings = file.contents(of: file.sections[table.link], limit: Self.tableLimit, read)
            take(ELFFields(symbols, isBigEndian: file.isBigEndian), symbols.count, strings, ELFLayout(file.width))
        }
    }

    private mutating func take(_ symbols: ELFFields, _ length: Int, _ strings: [UInt8], _ layout: ELFLayout) {
        for place in stride(from: 0, to: length, by: layout.symbol) {
            guard let name = symbols.number(at: place, size: 4), name > 0, name < strings.count,
                symbols.number(at: place + layout.symbolSection, size: 2) == 0
            else { continue }
            let octets = strings[name...].prefix(Self.nameLimit).prefix { $0 != 0 }
            if octets.count < Self.nameLimit { names.insert(String(decoding: octets, as: UTF8.self)) }
        }
    }
}
