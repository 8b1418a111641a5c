// SPDX-License-Identifier: Apache-2.0
/// The texts in the read-only data of an ELF file, each between two octets of zero.
///
///     section headers ──► SHT_PROGBITS, SHF_ALLOC, neither SHF_WRITE nor SHF_EXECINSTR ──► text NUL text NUL …
///
/// Go and Rust put no zero between their texts: only those that are separate are found.
package struct ReadOnlyStrings: Equatable, Sendable {
    package private(set) var texts: [[UInt8]] = []

    /// The maximum number of texts; more would be a list too long to read.
    private static let textLimit = 1000
    /// The maximum number of octets read from a file: of a larger one the first sections.
    private static let octetLimit = 64 << 20
    /// The maximum number of octets read from a section.
    private static let sectionLimit = 16 << 20

    /// `nil` if the file is no ELF, or has no table of sections.
    /// - Parameter isWanted: selects the texts; each is taken once.
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
