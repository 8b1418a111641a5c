// SPDX-License-Identifier: Apache-2.0
/// The octets of an ELF file that are loaded into memory to run it: the segments of the type PT_LOAD.
package struct LoadedSegments: Sendable {
    /// Offsets in the file, within its length.
    package private(set) var ranges: [Range<Int>] = []

    /// `nil` if the file is no ELF, or has no segments to run.
    package init?(_ file: [UInt8]) {
        guard let headers = ELFFile({ count, offset in Array(file.dropFirst(offset).prefix(count)) }),
            !headers.segments.isEmpty
        else { return nil }
        ranges = headers.segments.filter { $0.type == ELFFile.Segment.load && $0.offset < file.count }.map {
            $0.offset..<$0.offset + min($0.length, file.count - $0.offset)
        }
    }
}
