// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

/// Datagrams of one flow that leave as one super-packet, or a single datagram.
///
/// The first stays where it was read, headers and all; the payload of each later one is appended. `finish` adapts the headers to the whole.
///
/// The kernel counts the identifications of IPv4 up from the first. If those of a train do not count up, as flows take turns, and a
/// translator has made them, the train gets new ones in the translator's sequence: the old ones have not been seen outside. A sender's own
/// are kept.
struct DatagramTrain: ~Copyable {
    /// Maximum number of segments that the kernel makes of one super-packet (UDP_MAX_SEGMENTS of older kernels).
    static let maximumSegments = 64
    /// Largest value of the length fields of IPv4 and of UDP.
    static let maximumLength = 65_535

    /// Allocated for the first datagram, then reused.
    private var buffer: PacketBuffer?
    private var first: JoinableDatagram?
    private(set) var segments = 0
    private var isClosed = false
    /// The source of the identifications; `nil` if they are the sender's.
    private var numbering: IdentificationGenerator?
    private var isNumberedAnew = false

    init() {}

    var isEmpty: Bool { segments == 0 }

    /// Whether no further datagram can be appended.
    var isComplete: Bool { isClosed || segments == Self.maximumSegments }

    func carries(_ flow: JoinableDatagram.Flow) -> Bool { first?.flow == flow }

    /// Takes the datagram out of `packet`, which gets another buffer instead. The train must be empty.
    mutating func begin(
        with datagram: JoinableDatagram, _ packet: inout PacketBuffer, numberedBy numbering: IdentificationGenerator?
    ) {
        var room = buffer.take() ?? PacketBuffer()
        swap(&room, &packet)
        buffer = consume room
        first = datagram
        segments = 1
        isClosed = false
        self.numbering = numbering
        isNumberedAnew = false
    }

    /// Appends the datagram; false if it does not fit.
    mutating func append(
        _ datagram: JoinableDatagram, _ packet: borrowing PacketBuffer, numberedBy numbering: IdentificationGenerator?
    ) -> Bool {
        guard let first, !isComplete, datagram.payload <= first.payload, datagram.matches(first),
            let count = buffer?.count, count + datagram.payload <= Self.maximumLength
        else { return false }
        if !datagram.counts(onFrom: first, at: segments) {
            guard let numbering, numbering === self.numbering else { return false }
            isNumberedAnew = true
        }
        let bytes = packet.bytes
        buffer?.append(bytes.extracting(datagram.headerLength..<bytes.count))
        segments += 1
        // Only the last segment may be shorter.
        isClosed = datagram.payload < first.payload
        return true
    }

    /// Empties the train into `send`, which gets the packet and its number of datagrams.
    mutating func leave(_ send: (inout PacketBuffer, _ datagrams: Int) -> Void) {
        guard let first, var packet = buffer.take() else { return }
        if segments > 1 { finish(&packet, first) }
        let datagrams = segments
        self.first = nil
        segments = 0
        send(&packet, datagrams)
        buffer = consume packet
    }

    private func finish(_ packet: inout PacketBuffer, _ first: JoinableDatagram) {
        let udp = first.headerLength - UDPHeader.length
        let length = packet.count - udp
        var bytes = packet.mutableBytes
        let sum: InternetChecksum
        if udp == IPv6Header.length {
            bytes.setUInt16(UInt16(length), at: IPv6Header.payloadLength)
            sum = InternetChecksum(
                pseudoHeaderFrom: first.flow.source, to: first.flow.destination, of: .udp, length: length)
        } else {
            bytes.setUInt16(UInt16(bytes.count), at: IPv4Header.totalLength)
            if isNumberedAnew, let numbering {
                bytes.setUInt16(numbering.next(segments), at: IPv4Header.identification)
            }
            bytes.setUInt16(0, at: IPv4Header.checksum)
            var header = InternetChecksum()
            header.add(bytes.span, in: 0..<IPv4Header.length)
            bytes.setUInt16(header.checksum, at: IPv4Header.checksum)
            // Zeros in front of the addresses do not change the sum.
            sum = InternetChecksum(
                pseudoHeaderFrom: first.flow.source, to: first.flow.destination, of: .udp, length: length)
        }
        bytes.setUInt16(UInt16(length), at: udp + UDPHeader.udpLength)
        bytes.setUInt16(sum.folded, at: udp + UDPHeader.checksum)
        packet.offload.segmentation = .udp
        packet.offload.segmentSize = UInt16(first.payload)
        packet.offload.headerLength = UInt16(first.headerLength)
    }
}
