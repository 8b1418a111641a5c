// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Evidence
import Wire

// The origins of addresses that a host sent.

extension OriginFinder {
    /// - Parameter name: the host's, if the client had one.
    package mutating func search(_ conversation: Conversation, of name: DomainName?) {
        let octets = conversation.received.octets.bytes
        // TLS sooner or later has ciphertext, which contains any four octets somewhere, by chance.
        guard !octets.isEmpty, !ClientHello.mayBegin(octets.span) else { return }
        let exchange = HTTPAnswers(sent: conversation.sent.octets.bytes, received: octets)
        let map = PayloadMap(conversation, octets, exchange, name)
        for (address, hit) in search.hits(in: octets.span, as: .data) {
            addReceived(address, at: hit.offset, isCertain: hit.isCertain, map)
        }
        if let plain = WrittenOtherwise.unescaped(octets) {
            for (address, hit) in search.hits(in: plain.octets.span, as: .text)
            where plain.offsets.indices.contains(hit.offset) {
                addReceived(address, at: plain.offsets[hit.offset], isCertain: hit.isCertain, map)
            }
        }
        for (offset, address) in WrittenOtherwise.betweenCommas(octets) {
            addReceived(.ipv4(address), at: offset, isCertain: true, map, .commas)
        }
        for (piece, datagram) in zip(conversation.received.pieces, conversation.received.datagrams) {
            for (offset, _, address) in STUNMessage(datagram)?.addresses ?? [] {
                addReceived(address, at: piece.offset + offset, isCertain: true, map, .stun)
            }
        }
    }

    private mutating func addReceived(
        _ address: IPAddress, at offset: Int, isCertain: Bool, _ map: PayloadMap, _ spot: ReceivedLocation.Spot? = nil
    ) {
        guard sought.contains(address), let time = map.time(at: offset) else { return }
        add(
            received: AddressOrigin(.payload(map.place(at: offset, isCertain: isCertain, spot)), isCertain: isCertain),
            of: address, at: time)
    }
}

/// The structure of the data that a host sent.
private struct PayloadMap {
    private let conversation: Conversation
    private let octets: [UInt8]
    private let exchange: HTTPAnswers
    private let name: DomainName?

    init(_ conversation: Conversation, _ octets: [UInt8], _ exchange: HTTPAnswers, _ name: DomainName?) {
        self.conversation = conversation
        self.octets = octets
        self.exchange = exchange
        self.name = name
    }

    func time(at offset: Int) -> Duration? { conversation.received.piece(at: offset)?.time }

    func place(at offset: Int, isCertain: Bool, _ spot: ReceivedLocation.Spot?) -> ReceivedLocation {
        let answer = exchange.answers.last { $0.head.lowerBound <= offset }
        return ReceivedLocation(
            conversation.transport, from: conversation.remote, port: conversation.port, name: name,
            request: answer?.request, spot ?? self.spot(at: offset, isText: isCertain, in: answer))
    }

    private func spot(at offset: Int, isText: Bool, in answer: HTTPAnswers.Answer?) -> ReceivedLocation.Spot {
        if let answer, offset < answer.head.upperBound {
            return HTTPAnswers.fieldName(at: offset, octets, answer.head).map { .header($0) } ?? .octet(offset)
        }
        if let line = line(of: offset) {
            if line.contains("candidate:") { return .candidate }
            if let name = field(of: line) { return .header(name) }
            if line.hasPrefix("c=IN ") || line.hasPrefix("o=") { return .sessionDescription }
        }
        let start = answer.map { _ in 0 } ?? conversation.startOfMessage(at: offset)
        let positions = answer?.body ?? Array(start..<octets.count)
        guard let place = positions.firstIndex(of: offset) else { return .octet(offset) }
        let body = positions.map { octets[$0] }
        if let path = ValuePath.inJSON(body, at: place) { return .json(path.text) }
        if let path = ValuePath.inBencode(body, at: place) { return .bencode(path.text) }
        let told = answer == nil ? offset : place
        if !isText, octets.indices.contains(offset + 5) {
            return .packed(told, next: octets.span.uint16(at: offset + 4))
        }
        return .octet(told)
    }

    /// The name of a header field of SIP or RTSP, whose messages look like HTTP's (RFC 3261 §7.3, RFC 7826 §5).
    private func field(of line: String) -> String? {
        let isAlike = ["SIP/2.0 ", "RTSP/"].contains { octets.starts(with: $0.utf8) }
        let name = line.prefix { $0 != ":" }
        guard isAlike, name.count < line.count, !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == "-" }) else {
            return nil
        }
        return String(name)
    }

    /// The line of an octet, up to it; `nil` if it is no text, or a long one.
    private func line(of offset: Int) -> String? {
        guard octets.indices.contains(offset) else { return nil }
        let start = octets[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
        let line = octets[start..<offset]
        return line.count < 512 && line.allSatisfy { $0 >= 32 || $0 == 9 } ? String(decoding: line, as: UTF8.self) : nil
    }
}

extension Conversation {
    /// The first octet of a datagram; in a connection, that of the line in which the message may begin, as with one JSON text per line.
    fileprivate func startOfMessage(at offset: Int) -> Int {
        if transport == .udp { return received.piece(at: offset)?.offset ?? 0 }
        let octets = received.octets.bytes
        guard octets.indices.contains(offset),
            let newline = octets[..<offset].lastIndex(of: 10), newline + 1 < octets.count
        else { return 0 }
        let first = octets[newline + 1]
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? newline + 1 : 0
    }
}

extension AddressOrigin {
    /// Whether it is certainly an address, and meant as one.
    var isMeant: Bool {
        guard isCertain, case .payload(let place) = place else { return false }
        return place.isMeant
    }
}
