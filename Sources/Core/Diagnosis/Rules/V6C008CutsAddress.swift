// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A program that splits `host:port` at the first colon asks for the first group of an IPv6 address. One that keeps the text in an
    /// array for IPv4 (INET_ADDRSTRLEN, or a column of 15 characters) goes to another address. A program that misreads an IPv6 address does
    /// not use it either (V6C-003).
    package static let cutsAddress = Rule(
        id: "V6C-008", title: "cuts the text of an IPv6 address, at a colon or after 15 characters",
        severityIfPassing: .warning,
        advice:
            "Keep address and port apart; as one text write [address]:port, and split at the last colon (RFC 3986 §3.2.2). The text of an "
            + "address has up to 45 characters (INET6_ADDRSTRLEN is one more).",
        networks: .ipv6Only, clients: .all, supersedes: ["V6C-001", "V6C-003", "V6C-005", "V6C-044", "V6C-091"]
    ) { examination in
        let run = examination.run
        let addresses =
            (run.seen.questions.flatMap(\.addresses) + examination.lookups.flatMap(\.answers)
            + examination.traced.given.map { .ipv6($0.address) }).unique
        let told = run.seen.told
        let tried = examination.traced.attempts.compactMap { call -> Observation? in
            // getaddrinfo has read the text.
            guard let ip = call.address?.ip, !told.contains(ip), ip.isIPv4 || call.addressLength ?? 28 >= 24,
                let whole = addresses.first(where: { isNumber(ip, of: $0) || isText(ip, cutFrom: $0) })
            else { return nil }
            let (statement, site) = examination.told(call)
            let relation: Statement = ip.isIPv4 ? "the number with which \(whole) begins" : "how \(whole) begins"
            return Observation("\(statement): this is \(relation).", at: site, about: .address(whole))
        }
        if !tried.isEmpty { return tried.unique }
        let unwritten = examination.lookups.filter { $0.call == .inetNtop }.compactMap { lookup -> Observation? in
            guard let address = lookup.node.flatMap({ IPAddress($0) }) else { return nil }
            return Observation(
                "\(lookup.site) gave inet_ntop no room for \(address).", at: lookup.site, about: .address(address))
        }
        if run.end.isSuccess {
            // A client that passes may look a short name up for another reason, and write addresses for a log.
            return examination.withLoss(unwritten.first)
        }
        // Where an IPv4 attempt failed, that is the cause.
        if !unwritten.isEmpty, examination.gotThroughOnDualStack,
            !examination.traced.attempts.contains(where: \.isUnreachable)
        {
            return unwritten.unique
        }
        let asked = examination.lookups.compactMap { lookup -> Observation? in
            guard let node = lookup.node, let address = addresses.first(where: { isBeginning(node, of: $0) })
            else { return nil }
            return Observation(
                "\(lookup.site) asked for \"\(text: node)\", which is how \(address) begins.", at: lookup.site,
                about: .address(address))
        }
        return asked.isEmpty ? examination.misreadPort(behind: addresses) : asked
    }
}

extension Examination {
    /// The error of a program that takes what is behind the first colon for the port.
    fileprivate func misreadPort(behind addresses: [IPAddress]) -> [Observation] {
        guard let error = ownError else { return [] }
        for case .ipv6(let address) in addresses
        where address.bits >> 64 != 0 && complaints.contains(where: { isAbout(address, $0) }) {
            return [
                Observation(
                    "\(told(error)) \(address) has more than one colon.", at: error.site,
                    about: .address(.ipv6(address)))
            ]
        }
        return []
    }
}

/// Whether a message says that an IPv6 address was split at its colons: Python and Node say that the pieces are too many or no number, others
/// quote a piece: `invalid literal for int() with base 10: 'ff9b'`, `For input string: "ff9b"`.
private func isAbout(_ address: IPv6Address, _ message: String) -> Bool {
    let words = [
        "too many values to unpack (expected 2", "Received type number (NaN)", "ParseIntError { kind: InvalidDigit }",
    ]
    if words.contains(where: message.contains) { return true }
    let pieces = address.description.split(separator: ":").dropFirst().filter { $0.contains(where: \.isLetter) }
    // V6C-092 tells of a URL, whose port cannot be read.
    let rest = message.lowercased().contains("port") ? "" : address.description.drop { $0 != ":" }.dropFirst()
    return message.split { " \"'`<>(),".contains($0) }.contains { word in
        pieces.contains(word) || !rest.isEmpty && word.hasPrefix(rest)
    }
}

/// Whether an IPv4 address is the first group of an IPv6 address, read as a number: 0.0.0.64 of 64:ff9b::c633:640a (inet_aton(3)).
private func isNumber(_ address: IPAddress, of whole: IPAddress) -> Bool {
    guard case .ipv4(let number) = address, !whole.isIPv4, number.bits > 0 else { return false }
    return whole.description.hasPrefix("\(number.bits):")
}

/// Whether the text of an address is the beginning of another's, as long as an IPv4 address can be.
private func isText(_ address: IPAddress, cutFrom whole: IPAddress) -> Bool {
    let (text, written) = (address.description, whole.description)
    // With and without the zero at the end.
    return !address.isIPv4 && (14...16).contains(text.utf8.count) && text.utf8.count < written.utf8.count
        && written.hasPrefix(text)
}

/// Whether a text is the part before one of the address's colons, with the bracket of a URL or without: `64`, `[64`, `64:ff9b:`.
private func isBeginning(_ text: String, of address: IPAddress) -> Bool {
    let written = address.description
    let cut = text.hasPrefix("[") ? text.dropFirst() : text[...]
    guard !cut.isEmpty, cut.utf8.count <= 39, cut.utf8.count < written.utf8.count, written.hasPrefix(cut) else {
        return false
    }
    let rest = written.dropFirst(cut.count)
    return rest.hasPrefix(":") && !rest.dropFirst().isEmpty
}
