// SPDX-License-Identifier: Apache-2.0
import Wire

/// Writes a transport's new ports or identifier and brings its checksum up to date (RFC 7915 §4.5, §5.5), by what changed
/// rather than by all that there is.
struct TransportRewriting {
    let kind: TransportLayout.Kind
    /// From the start of the bytes that are rewritten.
    let offset: Int
    /// Octets of the transport that are there. In quoted packets it may be few.
    let count: Int
    let oldSourcePort: UInt16
    let oldDestinationPort: UInt16
    let newSourcePort: UInt16
    let newDestinationPort: UInt16
    /// New pseudo-header minus old one. For TCP and UDP just the addresses differ; ICMP has a pseudo-header in IPv6 only.
    let pseudoHeader: InternetChecksum
    /// The checksum field holds the folded sum of the pseudo-header.
    let isPartial: Bool

    @inline(always)
    func apply(to bytes: inout MutableSpan<UInt8>, icmpType: (UInt8) -> UInt8) {
        switch kind {
        case .tcp:
            bytes.setUInt16(newSourcePort, at: offset + TCPHeader.sourcePort)
            bytes.setUInt16(newDestinationPort, at: offset + TCPHeader.destinationPort)
            if count >= TCPHeader.checksum + 2 { updateChecksum(at: offset + TCPHeader.checksum, of: &bytes) }

        case .udp:
            bytes.setUInt16(newSourcePort, at: offset + UDPHeader.sourcePort)
            bytes.setUInt16(newDestinationPort, at: offset + UDPHeader.destinationPort)
            let field = offset + UDPHeader.checksum
            // Zero means that there is no checksum (RFC 768): it stays so, and a checksum that comes out as zero is sent as its
            // other form. A partial one is a plain sum, of which zero is an ordinary value.
            if !isPartial && bytes.uint16(at: field) == 0 { break }
            updateChecksum(at: field, of: &bytes)
            if !isPartial && bytes.uint16(at: field) == 0 { bytes.setUInt16(0xffff, at: field) }

        case .icmpEcho:
            let oldType = bytes[offset + ICMPHeader.type]
            let newType = icmpType(oldType)
            bytes[offset + ICMPHeader.type] = newType
            bytes.setUInt16(newSourcePort, at: offset + ICMPHeader.identifier)
            var change = pseudoHeader
            change.subtract(UInt16(oldType) << 8)
            change.add(UInt16(newType) << 8)
            change.subtract(oldSourcePort)
            change.add(newSourcePort)
            let field = offset + ICMPHeader.checksum
            bytes.setUInt16(change.applied(toChecksum: bytes.uint16(at: field)), at: field)

        case .icmpError, .icmpOther, .opaque, .laterFragment:
            break
        }
    }

    @inline(always)
    private func updateChecksum(at field: Int, of bytes: inout MutableSpan<UInt8>) {
        // The ports are not part of the pseudo-header, nor then of a partial checksum.
        if isPartial {
            bytes.setUInt16(pseudoHeader.applied(toPartialChecksum: bytes.uint16(at: field)), at: field)
            return
        }
        var change = pseudoHeader
        change.subtract(oldSourcePort)
        change.subtract(oldDestinationPort)
        change.add(newSourcePort)
        change.add(newDestinationPort)
        bytes.setUInt16(change.applied(toChecksum: bytes.uint16(at: field)), at: field)
    }
}
