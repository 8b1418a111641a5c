// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Evidence
import Wire

/// The facts about addresses in a client's payloads: its own address in what it sent, and servers' names.
package struct PayloadReader {
    package private(set) var facts: [PayloadFact] = []
    private let own: [IPAddress]
    private let search: AddressSearch

    /// The maximum number of facts, and of octets of a reported line.
    private static let limits = (facts: 200, line: 120)

    package init(_ payloads: PayloadRecord, _ names: KnownNames) {
        own = payloads.clients
        search = AddressSearch(SoughtAddresses(payloads.clients))
        for conversation in payloads.conversations { read(conversation, names[conversation]) }
    }

    private mutating func read(_ conversation: Conversation, _ name: DomainName?) {
        let sent = conversation.sent.octets.bytes
        func note(_ matter: PayloadFact.Matter) -> PayloadFact {
            PayloadFact(
                matter, conversation.transport, with: conversation.remote, port: conversation.port, name: name)
        }
        var found: [PayloadFact.Matter] = []
        if let server = ClientHello.read(sent.span).hello?.serverName {
            if let name = Self.hostName(server) { found.append(.serverName(name)) }
        } else if !ClientHello.mayBegin(sent.span) {
            if Self.isSOCKS(conversation) { found.append(.proxyRequest) }
            for request in HTTPAnswers.requests(sent) {
                if request.isToProxy { found.append(.proxyRequest) }
                if let name = request.host.flatMap(Self.hostName) { found.append(.serverName(name)) }
            }
            found += lines(sent)
            if let refused = Self.refusedFamily(conversation) { found.append(refused) }
            found += ownAddresses(sent)
        }
        if conversation.transport == .udp, conversation.sent.datagrams.first.map(Self.isWireGuard) == true {
            found.append(.wireGuard)
        }
        // Over TCP the messages follow each other without a frame (RFC 8489 §6.2.2); the first contains the address.
        let messages =
            conversation.transport == .udp ? conversation.received.datagrams : [conversation.received.octets.bytes[...]]
        for message in messages {
            found += STUNMessage(message)?.addresses.filter(\.isMapped).map { .mappedAddress($0.address) } ?? []
        }
        for matter in found where facts.count < Self.limits.facts {
            let fact = note(matter)
            if !facts.contains(fact) { facts.append(fact) }
        }
    }

    /// Whether a client offers authentication methods, and the server accepts one (RFC 1928 §3).
    private static func isSOCKS(_ conversation: Conversation) -> Bool {
        let (sent, received) = (conversation.sent.octets.bytes, conversation.received.octets.bytes)
        return conversation.transport == .tcp && sent.count > 2 && sent[0] == 5 && sent[1] > 0
            && sent.count >= 2 + Int(sent[1]) && received.count >= 2 && received[0] == 5
    }

    /// FTP's `EPSV 2` with the answer 522, "network protocol not supported" (RFC 2428 §2).
    private static func refusedFamily(_ conversation: Conversation) -> PayloadFact.Matter? {
        guard conversation.transport == .tcp,
            let command = lines(of: conversation.sent.octets.bytes).first(where: { $0.text.uppercased() == "EPSV 2" }),
            let reply = lines(of: conversation.received.octets.bytes).first(where: { $0.text.hasPrefix("522") })
        else { return nil }
        return .refusedFamily(command: command.text, reply: reply.text)
    }

    /// The first lines of a direction, as octets and as text for display.
    private static func lines(of said: [UInt8]) -> some Sequence<(octets: ArraySlice<UInt8>, text: String)> {
        said.split(separator: 10).prefix(200).lazy.map { ($0, plain($0.trimmed, limit: limits.line)) }
    }

    /// FTP's commands, and the lines of SIP and of session descriptions with the address for the answer.
    private func lines(_ sent: [UInt8]) -> [PayloadFact.Matter] {
        var isSIP = false
        var found: [PayloadFact.Matter] = []
        for (octets, line) in Self.lines(of: sent) {
            if line.hasSuffix(" SIP/2.0") || line.hasPrefix("SIP/2.0 ") { isSIP = true }
            if line.hasPrefix("PORT ") || line.hasPrefix("EPRT ") { found.append(.portCommand(line: line)) }
            if line.hasPrefix("c=IN IP4 ") || line.hasPrefix("c=IN IP6 ") {
                found.append(.sessionAddress(line: line, isIPv4: line.hasPrefix("c=IN IP4 ")))
            } else if isSIP, ["via:", "v:", "contact:", "m:"].contains(where: { line.lowercased().hasPrefix($0) }),
                let hit = search.hits(in: octets.span, as: .text).keys.first
            {
                found.append(.sessionAddress(line: line, isIPv4: hit.ipv4 != nil))
            }
        }
        return found
    }

    private func ownAddresses(_ sent: [UInt8]) -> [PayloadFact.Matter] {
        var found: [PayloadFact.Matter] = []
        for (address, hit) in search.hits(in: sent.span, as: .data) {
            // Four octets may be there by chance, but not a text or sixteen octets.
            guard hit.isCertain || address.ipv4 != nil && sent.count < 256 else { continue }
            let start = sent[..<hit.offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
            let line = sent[start...].prefix { $0 != 10 }.trimmed
            let isText = line.allSatisfy { $0 >= 32 && $0 < 127 || $0 == 9 }
            found.append(.ownAddress(address, line: isText ? plain(line, limit: Self.limits.line) : nil))
        }
        for (_, address) in WrittenOtherwise.betweenCommas(sent) where own.contains(.ipv4(address)) {
            found.append(.ownAddress(.ipv4(address), line: nil))
        }
        return found
    }

    /// A host's name, unless it is an address; without a port.
    private static func hostName(_ text: String) -> DomainName? {
        let host = text.split(separator: ":", omittingEmptySubsequences: false)[0]
        guard host.contains("."), host.utf8.contains(where: { (0x61...0x7a).contains($0 | 0x20) }) else { return nil }
        return try? DomainName(String(host))
    }

    /// A handshake initiation: its type, three zeros, 148 octets in all.
    private static func isWireGuard(_ datagram: ArraySlice<UInt8>) -> Bool {
        datagram.count == 148 && datagram.prefix(4).elementsEqual([1, 0, 0, 0])
    }
}

extension ReceivedLocation.Request {
    /// Whether it is a request to a proxy: one to the host itself names no host in its target (RFC 9112 §3.2).
    fileprivate var isToProxy: Bool {
        method == "CONNECT" || ["http://", "https://", "ftp://"].contains { target.lowercased().hasPrefix($0) }
    }
}
