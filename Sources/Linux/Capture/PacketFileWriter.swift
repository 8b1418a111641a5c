// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import LinuxNet

/// A packet file (pcap) of raw IP packets of both versions, LINKTYPE_RAW, with timestamps in nanoseconds.
///
///     file        magic 4 · version 2+2 · zero 4+4 · snap length 4 · link type 4
///     each packet seconds 4 · nanoseconds 4 · length here 4 · length on the wire 4 · octets
///
/// Numbers are in this machine's byte order, which the magic number indicates.
///
/// Theory of operation. `write` uses the C library's buffer and never fails; a full disk is detected when the buffer is written, and
/// reported by `flush` and `close`. A file that is not closed is closed when its writer is destroyed.
@safe
package struct PacketFileWriter: ~Copyable {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>

    /// The longest packet that is not truncated: longer than a super-packet of 64 KB.
    package static let snapLength = 262_144

    /// The magic number of a file whose times are in nanoseconds.
    private static let magic: UInt32 = 0xa1b2_3c4d
    /// LINKTYPE_RAW.
    private static let linkType: UInt32 = 101

    package init(path: String) throws(CaptureError) {
        guard let file = unsafe fopen(path, "we") else { throw CaptureError(path: path, reason: "\(Errno(errno))") }
        unsafe self.init(file, name: path)
    }

    /// Writes to an open file. It is closed with the writer.
    /// - Parameter name: the file's name in errors.
    package init(file: consuming Descriptor, name: String) throws(CaptureError) {
        let number = file.release()
        guard let stream = unsafe fdopen(number, "w") else {
            let reason = Errno(errno)
            Glibc.close(number)
            throw CaptureError(path: name, reason: "\(reason)")
        }
        unsafe self.init(stream, name: name)
    }

    private init(_ file: UnsafeMutablePointer<FILE>, name: String) {
        path = name
        unsafe self.file = unsafe file
        struct Header {
            let magic = PacketFileWriter.magic
            let version: (UInt16, UInt16) = (2, 4)
            let zero: (UInt32, UInt32) = (0, 0)
            let snapLength = UInt32(PacketFileWriter.snapLength)
            let linkType = PacketFileWriter.linkType
        }
        unsafe withUnsafeBytes(of: Header()) { _ = unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    }

    deinit { unsafe fclose(file) }

    /// - Parameter time: nanoseconds since 1970.
    package borrowing func write(_ packet: Span<UInt8>, at time: Int64) {
        let kept = min(packet.count, Self.snapLength)
        // 32 bits of seconds: 2106 is the last year. Later times are truncated to their low bits.
        let header = (
            UInt32(truncatingIfNeeded: time / 1_000_000_000), UInt32(truncatingIfNeeded: time % 1_000_000_000),
            UInt32(kept), UInt32(clamping: packet.count)
        )
        unsafe withUnsafeBytes(of: header) { _ = unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        unsafe packet.withUnsafeBytes { _ = unsafe fwrite($0.baseAddress, 1, kept, file) }
    }

    /// Writes the buffer. Throws if that, or an earlier write, has failed.
    package borrowing func flush() throws(CaptureError) {
        let flushed = unsafe fflush(file)
        let reason = Errno(errno)
        if flushed != 0 { throw CaptureError(path: path, reason: "\(reason)") }
        if unsafe ferror(file) != 0 { throw CaptureError(path: path, reason: "the disk was full") }
    }

    /// Writes the buffer; throws unless all packets are in the file.
    package consuming func close() throws(CaptureError) { try flush() }
}

// The writer is the only owner of the stream.
extension PacketFileWriter: @unchecked Sendable {}
