// SPDX-License-Identifier: Apache-2.0
/// An executable, with its loader and the language it was made from, as far as it shows them.
///
///     segments ──► PT_INTERP: the dynamic loader
///     sections ──► their names ──► .go.buildinfo
package struct ELFProgram: Equatable, Sendable {
    package let width: ELFFile.Width
    /// `e_machine`.
    package let machine: Int
    /// The dynamic loader's path; `nil` in a static executable.
    package let interpreter: String?
    /// The Go linker's information; `nil` if the program was not made by Go.
    package let go: GoBuildInformation?

    /// PATH_MAX: Linux accepts no longer one.
    private static let interpreterLimit = 4096
    private static let sectionNamesLimit = 1 << 16

    /// `nil` if it is no ELF file, or a broken one.
    package init?(_ read: ELFFile.Reader) {
        guard let file = ELFFile(read) else { return nil }
        width = file.width
        machine = file.machine
        interpreter = file.segments.first { $0.type == ELFFile.Segment.interpreter }.map { segment in
            let text = read(min(segment.length, Self.interpreterLimit), segment.offset)
            return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        go = Self.section(".go.buildinfo", of: file, read).map {
            GoBuildInformation(file.contents(of: $0, limit: GoBuildInformation.limit, read))
        }
    }

    private static func section(_ name: String, of file: ELFFile, _ read: ELFFile.Reader) -> ELFFile.Section? {
        guard file.sections.indices.contains(file.namesIndex) else { return nil }
        let names = file.contents(of: file.sections[file.namesIndex], limit: sectionNamesLimit, read)
        let wanted = Array(name.utf8) + [0]
        return file.sections.first { names.dropFirst($0.name).starts(with: wanted) }
    }
}
