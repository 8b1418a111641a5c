internal import CPcap
internal import Glibc
package import LinuxNet
package import Wire

/// Reads IP packets from a pcap or pcapng file: bare ones, or in Ethernet, Linux cooked or loopback frames, which are
/// stripped.
///
/// A file may come from anywhere: what is malformed is an error, or a packet that says it is none.
@safe
package struct PacketFileReader: ~Copyable {
    package let path: String
    private let linkType: LinkType
    private let capture: OpaquePointer
    private var count = 0

    /// One packet of the file.
    package struct Record: Hashable, Sendable {
        /// From 1 on, as tcpdump and Wireshark count.
        package let number: Int
        /// Nanoseconds since 1970.
        package let time: Int64
        /// Whether there is an IP packet in the buffer; otherwise the frame carried something else.
        package let isIP: Bool
        /// Octets were cut off when it was captured, or do not fit into the buffer.
        package let isTruncated: Bool
    }

    package static func open(_ path: String) throws(CaptureError) -> PacketFileReader {
        guard let file = unsafe fopen(path, "re") else { throw CaptureError(path: path, reason: "\(Errno(errno))") }
        return unsafe try PacketFileReader(path: path, file)
    }

    /// Reads what comes in at an open file. It is closed with the reader.
    /// - Parameter name: what to call it in errors.
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
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard
            let capture = unsafe pcap_fopen_offline_with_tstamp_precision(
                file, UInt32(PCAP_TSTAMP_PRECISION_NANO), &message)
        else {
            unsafe fclose(file)
            throw CaptureError(path: path, reason: Self.text(message))
        }
        let number = unsafe pcap_datalink(capture)
        guard let linkType = LinkType(number) else {
            unsafe pcap_close(capture)
            throw CaptureError(
                path: path, reason: "link type \(number) is none of raw IP, Ethernet, Linux cooked and loopback")
        }
        self.path = path
        self.linkType = linkType
        unsafe self.capture = capture
    }

    /// Reads the next packet; `nil` at the end of the file. After an error there is no next.
    package mutating func next(into buffer: inout PacketBuffer) throws(CaptureError) -> Record? {
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        buffer.reset()
        switch unsafe pcap_next_ex(capture, &header, &data) {
        case 1: break
        case PCAP_ERROR_BREAK: return nil
        default: throw unsafe CaptureError(path: path, reason: String(cString: pcap_geterr(capture)))
        }
        guard let header = unsafe header?.pointee, let data = unsafe data else { return nil }
        count += 1

        let frame = unsafe Span<UInt8>(_unsafeStart: data, count: Int(header.caplen))
        let offset = linkType.ipOffset(frame)
        var isTruncated = header.caplen < header.len
        if let offset {
            let packet = frame.extracting(offset...)
            if buffer.replace(with: packet) < packet.count { isTruncated = true }
        }
        return Record(number: count, time: Self.time(header.ts), isIP: offset != nil, isTruncated: isTruncated)
    }

    /// Saturates: a file may claim any time.
    private static func time(_ time: timeval) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = product.addingReportingOverflow(Int64(time.tv_usec))
        return overflow || carried ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unsafe pcap_close(capture)
    }
}

// The file is its owner's own.
extension PacketFileReader: @unchecked Sendable {}
