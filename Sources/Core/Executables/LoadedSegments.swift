// SPDX-License-Identifier: Apache-2.0
/// Which octets of an ELF file come into memory when it is run: the segments of the type PT_LOAD.
package struct LoadedSegments: Sendable {
    /// Offsets in the file, within it.
    package private(set) var ranges: [Range<Int>] = []

    /// `nil` of a file that is none, or one that is not to be run.
    package init?(_ file: [UInt8]) {
        guard let headers = ELFFile({ count, offset in Array(file.dropFirst(offset).prefix(count)) }),
            !headers.segments.isEmpty
        else { return nil }
        ranges = headers.segments.filter { $0.type == ELFFile.Segment.load && $0.offset < file.count }.map {
            $0.offset..<$0.offset + min($0.length, file.count - $0.offset)
        }
    }
}
