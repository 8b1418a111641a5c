// SPDX-License-Identifier: Apache-2.0
/// Texts in the read-only data of an ELF file, each between two octets of zero.
///
///     section headers ──► SHT_PROGBITS, SHF_ALLOC, neither SHF_WRITE nor SHF_EXECINSTR ──► text NUL text NUL …
///
/// Go and Rust put no zero between their texts: of those only what stands alone is seen.
package struct ReadOnlyStrings: Equatable, Sendable {
    package private(set) var texts: [[UInt8]] = []

    /// More in one file would be a list, of which nobody reads each line.
    private static let textLimit = 1000
    /// So many octets of a file are read: of a larger one the first sections.
    private static let octetLimit = 64 << 20
    /// And so many of a section.
    private static let sectionLimit = 16 << 20

    /// `nil` of a file that is no ELF, or one without a table of sections.
    /// - Parameter isWanted: which texts are taken; each once.
    package init?(_ read: ELFFile.Reader, where isWanted: (ArraySlice<UInt8>) -> Bool) {
        guard let file = ELFFile(read), !file.sections.isEmpty else { return nil }
        var seen: Set<[UInt8]> = []
        var count = 0
        for section in file.sections
        where section.type == ELFFile.Section.program
            && section.flags
                & (ELFFile.Section.writable | ELFFile.Section.loaded | ELFFile.Section.executable)
                == ELFFile.Section.loaded
        {
            let octets = file.contents(of: section, limit: Self.sectionLimit, read)
            count += octets.count
            guard count <= Self.octetLimit else { return }
            for text in octets.split(separator: 0)
            where isWanted(text) && texts.count < Self.textLimit && seen.insert(Array(text)).inserted {
                texts.append(Array(text))
            }
        }
    }
}
