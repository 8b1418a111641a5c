// SPDX-License-Identifier: Apache-2.0
import Wire

/// Writes a transport's new ports or identifier and updates its checksum (RFC 7915 §4.5, §5.5) by the difference, without summing all of
/// the data.
struct TransportRewriting {
    let kind: TransportLayout.Kind
    /// From the start of the bytes that are rewritten.
    let offset: Int
    /// Octets of the transport that are present. Quoted packets may have few.
    let count: Int
    let oldSourcePort: UInt16
    let oldDestinationPort: UInt16
    let newSourcePort: UInt16
    let newDestinationPort: UInt16
    /// New pseudo-header minus old one. For TCP and UDP only the addresses differ; ICMP has a pseudo-header in IPv6 only.
    let pseudoHeader: InternetChecksum
    /// The checksum field contains the folded sum of the pseudo-header.
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
            // Zero means that there is no checksum (RFC 768), and stays zero; a checksum that is computed as zero is sent in its other
            // form. A partial one is a plain sum, in which zero is an ordinary value.
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
        // The ports are not part of the pseudo-header, and so not of a partial checksum either.
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
