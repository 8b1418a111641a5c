// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Translation
import Wire

/// The invariants of a translator's output packets.
struct OutputCheck {
    private let ipv6MTU: Int
    private let ipv4MTU: Int
    /// Whether every packet fits without fragmentation.
    let isRoomy: Bool

    init(_ options: TranslationOptions) {
        ipv6MTU = options.ipv6MTU
        ipv4MTU = options.ipv4MTU
        isRoomy = min(options.ipv6MTU, options.ipv4MTU, options.lowestIPv6MTU) == 65_535
    }

    /// Errors have their own maximum size (RFC 1812 §4.3.2.3, RFC 4443 §2.4).
    private static let largestIPv4Error = 576
    private static let largestIPv6Error = 1_280
    /// A super-packet's transport header is not split, however small the MTU: it has at most 60 octets, and the length of a fragment that
    /// is not the last is a multiple of eight.
    private static let leastRoom = 20 + 64

    /// - Parameter isRight: whether the checksum must be right, because the input's was.
    func check(_ packet: FuzzedPacket, isRight: Bool) throws(BrokenInvariant) -> PacketVerdict {
        let verdict = packet.verdict
        if let problem = verdict.problem { throw BrokenInvariant("\(problem): \(packet.octets)") }
        let isIPv6 = verdict.source.count == 16
        try require(isIPv6 || packet.octets[0] == 0x45, "IPv4 options go out: \(packet.octets)")

        // An ICMP error gets a new checksum, whatever the input's was.
        if verdict.fragment == nil && (isRight || verdict.isICMPError) {
            try require(
                verdict.hasRightChecksum(offload: packet.offload),
                "a wrong checksum goes out: \(packet.octets) \(packet.offload)")
        }
        // The translator's own errors quote packets from outside, whose length attribute may be wrong.
        if verdict.isICMPError && !Scene.isOurs(verdict.source), let problem = QuoteVerdict.problem(of: verdict) {
            throw BrokenInvariant("\(problem): \(packet.octets)")
        }
        try checkSize(packet, verdict, isIPv6: isIPv6)
        return verdict
    }

    private func checkSize(
        _ packet: FuzzedPacket, _ verdict: PacketVerdict, isIPv6: Bool
    ) throws(BrokenInvariant) {
        var size = packet.octets.count
        if packet.offload.segmentation != .none {
            let offload = packet.offload
            try require(offload.segmentSize > 0, "segments of nothing")
            try require(
                offload.segmentation == .udp || (offload.segmentation == .tcpIPv6) == isIPv6,
                "a super-packet of the wrong family")
            let header = verdict.protocolNumber == UpperLayer.tcp ? Int(verdict.payload[12] >> 4) * 4 : 8
            try require(
                Int(offload.headerLength) == verdict.payloadOffset + header, "a wrong header length: \(offload)")
            size = min(size, Int(offload.headerLength) + Int(offload.segmentSize))
        }
        let mtu =
            isIPv6
            ? (verdict.isICMPError ? Self.largestIPv6Error : ipv6MTU)
            : max(ipv4MTU, Self.leastRoom, verdict.isICMPError ? Self.largestIPv4Error : 0)
        try require(size <= mtu, "\(size) octets for an MTU of \(mtu): \(packet.octets.prefix(100))")
    }

    /// Throws if a datagram's payload was changed.
    func checkPayload(_ input: PacketVerdict, _ output: PacketVerdict) throws(BrokenInvariant) {
        guard input.fragment == nil, output.fragment == nil, input.protocolNumber == output.protocolNumber else {
            return
        }
        let header: Int
        switch input.protocolNumber {
        case UpperLayer.udp: header = 8
        case UpperLayer.tcp: header = 20
        default: return
        }
        try require(
            input.payload.dropFirst(header) == output.payload.dropFirst(header),
            "\(input.payload) came out as \(output.payload)")
    }

    /// Throws unless the output fragments of a valid datagram make up a valid datagram.
    func checkPieces(_ pieces: [PacketVerdict]) throws(BrokenInvariant) {
        var payload: [UInt8] = []
        for piece in pieces {
            guard let fragment = piece.fragment else { continue }
            if fragment.offset == 0 { payload = [] }
            try require(fragment.offset == payload.count, "a piece at \(fragment.offset) instead of \(payload.count)")
            try require(
                !fragment.moreFollow || piece.payload.count % 8 == 0, "a piece of \(piece.payload.count) octets")
            payload += piece.payload
            if fragment.moreFollow { continue }
            try require(
                PacketVerdict.isRight(payload, from: piece.source, to: piece.destination, piece.protocolNumber),
                "the pieces have a wrong checksum together")
        }
    }
}
