// SPDX-License-Identifier: Apache-2.0
internal import CPcap
internal import Glibc
package import LinuxNet
package import Wire

/// Reads IP packets from a pcap or pcapng file: raw ones, or in Ethernet, Linux cooked or loopback frames, whose headers are
/// removed.
///
/// Files are untrusted: malformed contents lead to an error, or to a packet that is marked as not IP. libpcap parses the file, and is
/// loaded for the first one.
@safe
package struct PacketFileReader: ~Copyable {
    package let path: String
    private let linkType: LinkType
    private let capture: OpaquePointer
    private var count = 0

    /// One packet of the file.
    package struct Record: Hashable, Sendable {
        /// From 1, as in tcpdump and Wireshark.
        package let number: Int
        /// Nanoseconds since 1970.
        package let time: Int64
        /// Whether there is an IP packet in the buffer; otherwise the frame carried another protocol.
        package let isIP: Bool
        /// Octets were cut off by the capture, or do not fit into the buffer.
        package let isTruncated: Bool
    }

    package static func open(_ path: String) throws(CaptureError) -> PacketFileReader {
        guard let file = unsafe fopen(path, "re") else { throw CaptureError(path: path, reason: "\(Errno(errno))") }
        return unsafe try PacketFileReader(path: path, file)
    }

    /// Reads from an open file. It is closed with the reader.
    /// - Parameter name: the file's name in errors.
    package static func read(_ file: consuming Descriptor, name: String) throws(CaptureError) -> PacketFileReader {
        let number = file.release()
        guard let stream = unsafe fdopen(number, "r") else {
            let reason = Errno(errno)
            Glibc.close(number)
            throw CaptureError(path: name, reason: "\(reason)")
        }
        return unsafe try PacketFileReader(path: name, stream)
    }

    private init(path: String, _ file: UnsafeMutablePointer<FILE>) throws(CaptureError) {
        if let obstacle = Self.obstacle {
            unsafe fclose(file)
            throw CaptureError(path: path, reason: "libpcap is needed to read it: \(obstacle)")
        }
        var message = [CChar](repeating: 0, count: Int(cpcap_message_size))
        guard let capture = unsafe cpcap_open(file, &message) else {
            unsafe fclose(file)
            throw CaptureError(path: path, reason: Self.text(message))
        }
        let number = unsafe cpcap_link_type(capture)
        guard let linkType = LinkType(number) else {
            unsafe cpcap_close(capture)
            throw CaptureError(
                path: path, reason: "link type \(number) is none of raw IP, Ethernet, Linux cooked and loopback")
        }
        self.path = path
        self.linkType = linkType
        unsafe self.capture = capture
    }

    /// Reads the next packet; `nil` at the end of the file. Not to be called after an error.
    package mutating func next(into buffer: inout PacketBuffer) throws(CaptureError) -> Record? {
        var record = unsafe cpcap_record()
        buffer.reset()
        switch unsafe cpcap_next(capture, &record) {
        case cpcap_packet: break
        case cpcap_end: return nil
        default: throw unsafe CaptureError(path: path, reason: String(cString: cpcap_reason(capture)))
        }
        guard let data = unsafe record.octets else { return nil }
        count += 1

        let frame = unsafe Span<UInt8>(_unsafeStart: data, count: Int(record.length))
        let offset = linkType.ipOffset(frame)
        var isTruncated = unsafe record.length < record.original_length
        if let offset {
            let packet = frame.extracting(offset...)
            if buffer.replace(with: packet) < packet.count { isTruncated = true }
        }
        let time = unsafe Self.time(seconds: record.seconds, nanoseconds: record.nanoseconds)
        return Record(number: count, time: time, isIP: offset != nil, isTruncated: isTruncated)
    }

    /// Saturates: a file may contain any time.
    private static func time(seconds: Int64, nanoseconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = product.addingReportingOverflow(nanoseconds)
        return overflow || carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// Why libpcap cannot be loaded, if it cannot.
    private static let obstacle: String? = unsafe cpcap_load().map { unsafe String(cString: $0) }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unsafe cpcap_close(capture)
    }
}

// The reader is the only owner of the file.
extension PacketFileReader: @unchecked Sendable {}
