internal import CPcap
internal import Glibc
package import LinuxNet

/// A packet file (pcap) of raw IP packets of both versions, LINKTYPE_RAW, with time stamps in nanoseconds.
///
/// Theory of operation. `write` goes through the C library's buffer and never fails; a full disk is found out when the
/// buffer is written, and said by `flush` and `close`. A file that is not closed is closed when its writer is destroyed.
@safe
package struct PacketFileWriter: ~Copyable {
    private let path: String
    private let handle: OpaquePointer
    private let dumper: OpaquePointer

    /// The longest packet that is kept whole: a super-packet of 64 KB is.
    package static let snapLength = 262_144

    package init(path: String) throws(CaptureError) {
        unsafe try self.init(name: path) { unsafe pcap_dump_open($0, path) }
    }

    /// Writes into an open file. It is closed with the writer.
    /// - Parameter name: what to call it in errors.
    package init(file: consuming Descriptor, name: String) throws(CaptureError) {
        let number = file.release()
        guard let stream = unsafe fdopen(number, "w") else {
            let reason = unsafe String(cString: strerror(errno))
            Glibc.close(number)
            throw CaptureError(path: name, reason: reason)
        }
        // libpcap closes the stream where it fails, too.
        unsafe try self.init(name: name) { unsafe pcap_dump_fopen($0, stream) }
    }

    private init(name: String, _ open: (OpaquePointer) -> OpaquePointer?) throws(CaptureError) {
        guard
            let handle = unsafe pcap_open_dead_with_tstamp_precision(
                DLT_RAW, Int32(Self.snapLength), UInt32(PCAP_TSTAMP_PRECISION_NANO))
        else { throw CaptureError(path: name, reason: "libpcap has no memory") }
        guard let dumper = unsafe open(handle) else {
            let reason = unsafe String(cString: pcap_geterr(handle))
            unsafe pcap_close(handle)
            throw CaptureError(
                path: name, reason: reason.hasPrefix("\(name): ") ? String(reason.dropFirst(name.count + 2)) : reason)
        }
        path = name
        unsafe self.handle = unsafe handle
        unsafe self.dumper = unsafe dumper
    }

    deinit {
        unsafe pcap_dump_close(dumper)
        unsafe pcap_close(handle)
    }

    /// - Parameter time: nanoseconds since 1970.
    package borrowing func write(_ packet: Span<UInt8>, at time: Int64) {
        var header = pcap_pkthdr()
        header.ts.tv_sec = Int(time / 1_000_000_000)
        // With nanosecond precision, this is what the field holds.
        header.ts.tv_usec = Int(time % 1_000_000_000)
        header.len = UInt32(packet.count)
        header.caplen = UInt32(min(packet.count, Self.snapLength))
        unsafe packet.withUnsafeBufferPointer { bytes in
            unsafe pcap_dump(
                UnsafeMutableRawPointer(dumper).assumingMemoryBound(to: u_char.self), &header, bytes.baseAddress)
        }
    }

    /// Writes what is buffered. Throws where it, or something before it, is not in the file.
    package borrowing func flush() throws(CaptureError) {
        let flushed = unsafe pcap_dump_flush(dumper)
        let reason = errno
        if flushed != 0 { throw CaptureError(path: path, reason: unsafe String(cString: strerror(reason))) }
        if unsafe ferror(pcap_dump_file(dumper)) != 0 {
            throw CaptureError(path: path, reason: "the disk was full")
        }
    }

    /// Writes what is buffered, and says whether all packets are in the file.
    package consuming func close() throws(CaptureError) { try flush() }
}

// libpcap's handles belong to this value alone.
extension PacketFileWriter: @unchecked Sendable {}
