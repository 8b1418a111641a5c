// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Wire

/// The rules once more, slow and obvious, in the order of their description; nothing here is shared with the C code.
/// Answers are lines as the `ask` helper writes them: a rule that passes a question on yields the very line that the
/// question got without the shim.
struct Twin {
    struct Prefix {
        var text: String
        var isWellKnown: Bool { text == "64:ff9b::/96" }
    }

    var profile: String
    var prefixes: [Prefix]
    var hasIPv6 = true
    /// The lines without the shim.
    var plain: [Question: Substring]
    /// The services of this machine, by protocol.
    var ports: [String: [Int32: UInt16]]

    func answer(to question: Question) -> String {
        switch profile {
        case "apple", "apple-ios9": apple(question)
        case "android": android(question)
        case "chromium": chromium(question)
        default: unchanged(question)
        }
    }

    private func unchanged(_ question: Question) -> String { String(plain[question]!) }

    // MARK: - Apple

    private func apple(_ question: Question) -> String {
        // Without a Pref64, or an IPv6 address, nothing changes at all.
        guard hasIPv6, !prefixes.isEmpty else { return unchanged(question) }
        // Rule 2.
        var question = question
        if question.node == "" { question.node = nil }
        if question.service == "" { question.service = nil }
        // Rules 1 and 3.
        let hints = question.hints ?? Hints()
        var flags = hints.flags
        if flags == 0 { flags = Hints.v4Mapped | Hints.addressConfiguration }
        if hints.family != AF_INET6 { flags &= ~(Hints.v4Mapped | Hints.all) }
        if flags & Hints.v4Mapped == 0 { flags &= ~Hints.all }
        // Rule 5.
        guard let node = question.node, flags & Hints.numericHost == 0,
            hints.family == AF_UNSPEC || hints.family == AF_INET6
        else { return unchanged(question) }
        guard let literal = IPv4Address(node) else { return apple(name: node, question, hints) }
        guard !isExcluded(literal), let kinds = kinds(hints), let port = port(question, hints), isKnown(hints.flags)
        else { return unchanged(question) }
        // Rule 7.
        var entries = synthesise(literal, kinds, port)
        if entries.isEmpty { return unchanged(question) }
        // Rule 8.
        let withoutICMP = kinds.filter { $0.1 != 58 }
        if hints.family == AF_UNSPEC, flags & Hints.addressConfiguration == 0 {
            entries += withoutICMP.map { entry(AF_INET, $0, port, literal.description) }
        }
        if hints.family == AF_INET6, flags & Hints.all != 0, flags & Hints.v4Mapped != 0 {
            entries += withoutICMP.map { entry(AF_INET6, $0, port, "::ffff:\(literal)") }
        }
        return (["0"] + entries).joined(separator: " ")
    }

    // Rule 9.
    private func apple(name: String, _ question: Question, _ hints: Hints) -> String {
        let line = unchanged(question)
        if !Twin.isNumeric(name), kinds(hints) != nil, let ipv4 = ipv4Line(question, line) {
            // Rule 10.
            let added = appended(to: ipv4, question, hints)
            return added.isEmpty ? line : (["0"] + added).joined(separator: " ")
        }
        guard !Twin.isNumeric(name), line.hasPrefix("0 "), kinds(hints) != nil else { return line }
        return ([line] + appended(to: line, question, hints)).joined(separator: " ")
    }

    /// The IPv4 answer that a phone's resolver requests if a name has no IPv6 address; `nil` if it has one, or none at all.
    private func ipv4Line(_ question: Question, _ line: String) -> String? {
        guard question.hints?.family == AF_INET6, line == "-5" || line == "-9" else { return nil }
        var other = question
        other.hints?.family = AF_INET
        other.hints?.flags &= ~(Hints.v4Mapped | Hints.all | Hints.addressConfiguration)
        let found = plain[other].map(String.init) ?? "no such question"
        return found.hasPrefix("0 ") ? found : nil
    }

    private func appended(to line: String, _ question: Question, _ hints: Hints) -> [String] {
        let kinds = kinds(hints) ?? []
        let answers = line.split(separator: " ").dropFirst().map { $0.split(separator: "/") }
        var added: [String] = []
        var seen: [Substring] = []
        for answer in answers {
            let address = answer[6].hasPrefix("::ffff:") ? answer[6].dropFirst(7) : answer[6]
            guard let literal = IPv4Address(address) else { return [] }
            if seen.contains(address) { continue }
            seen.append(address)
            let isNumeric = question.service.map { UInt16($0.drop { $0 == " " }) != nil } ?? true
            let port = profile == "apple-ios9" && isNumeric ? 0 : UInt16(answer[5])!
            if !isExcluded(literal) { added += synthesise(literal, kinds, port) }
        }
        return added
    }

    // MARK: - The others

    private func chromium(_ question: Question) -> String {
        let hints = question.hints ?? Hints()
        guard let node = question.node, let literal = IPv4Address(node), hints.flags & Hints.numericHost == 0,
            hints.family == AF_UNSPEC || hints.family == AF_INET6, !Twin.reachable.contains(node),
            let kinds = kinds(hints), let port = port(question, hints), isKnown(hints.flags)
        else { return unchanged(question) }
        let entries = synthesise(literal, kinds, port)
        return entries.isEmpty ? unchanged(question) : (["0"] + entries).joined(separator: " ")
    }

    /// Addresses to which an IPv6-only host can connect a UDP socket: its own (0.0.0.0 means itself, too).
    static let reachable = ["127.0.0.1", "0.0.0.0"]

    private func android(_ question: Question) -> String {
        let plainLine = unchanged(question)
        let ipv4 = ipv4Line(question, plainLine)
        let line = ipv4 ?? plainLine
        let hints = question.hints ?? Hints()
        guard let node = question.node, !node.isEmpty, !Twin.isNumeric(node), line.hasPrefix("0 "),
            hints.flags & Hints.numericHost == 0, hints.family == AF_UNSPEC || hints.family == AF_INET6,
            let prefix = prefixes.first, prefix.text.hasSuffix("/96")
        else { return plainLine }
        let special = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32"]
        var added: [String] = []
        var kept: [String] = []
        for answer in line.split(separator: " ").dropFirst() {
            let fields = answer.split(separator: "/")
            guard let literal = IPv4Address(fields[6]), !Twin.lies(literal, in: special) else { return plainLine }
            let kind = (Int32(fields[2])!, Int32(fields[3])!)
            let made = entry(AF_INET6, kind, UInt16(fields[5])!, Twin.embed(literal, under: prefix.text))
            // The canonical name is the first entry's.
            added.append(String(made.dropLast()) + fields[9])
            kept.append(fields.dropLast().joined(separator: "/") + "/-")
        }
        // Rule 10: asked for IPv6 alone, it gives no IPv4 address.
        return (["0"] + added + (ipv4 == nil ? kept : [])).joined(separator: " ")
    }

    // MARK: - Parts

    private func isExcluded(_ literal: IPv4Address) -> Bool {
        profile == "apple"
            && Twin.lies(
                literal,
                in: [
                    "0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.0.0.0/29", "192.88.99.0/24", "224.0.0.0/4",
                    "255.255.255.255/32",
                ])
    }

    private func synthesise(_ literal: IPv4Address, _ kinds: [(Int32, Int32)], _ port: UInt16) -> [String] {
        let isPrivate = Twin.lies(literal, in: ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"])
        return prefixes.filter { !(profile == "apple" && $0.isWellKnown && isPrivate) }.flatMap { prefix in
            kinds.map { entry(AF_INET6, $0, port, Twin.embed(literal, under: prefix.text)) }
        }
    }

    /// Rule 7: pairs of socket type and protocol. Nil where the hints contradict themselves.
    private func kinds(_ hints: Hints) -> [(Int32, Int32)]? {
        switch (hints.socktype, hints.protocol) {
        case (0, 0), (3, 0): [(2, 17), (1, 6)]
        case (1, 0), (0, 6), (1, 6), (3, 6): [(1, 6)]
        case (2, 0), (0, 17), (2, 17), (3, 17): [(2, 17)]
        case (0, 58), (3, 58): [(3, 58)]
        default: nil
        }
    }

    private func port(_ question: Question, _ hints: Hints) -> UInt16? {
        guard let service = question.service, !service.isEmpty else { return 0 }
        let trimmed = service.drop { $0 == " " }
        if trimmed.allSatisfy({ $0.isNumber || $0 == "+" }) {
            let port = UInt16(trimmed)
            return profile == "apple-ios9" && port != nil ? 0 : port
        }
        if hints.flags & Hints.numericService != 0 { return nil }
        guard let known = ports[service] else { return nil }
        return switch kinds(hints)?.map(\.1) {
        case [6]: known[6]
        case [17]: known[17]
        default: known.values.first
        }
    }

    /// The libc refuses flags that it does not know.
    private func isKnown(_ flags: Int32) -> Bool { flags & ~0x43f == 0 }

    private func entry(_ family: Int32, _ kind: (Int32, Int32), _ port: UInt16, _ address: String) -> String {
        "0/\(family)/\(kind.0)/\(kind.1)/\(family == AF_INET ? 16 : 28)/\(port)/\(address)/0/0/-"
    }

    static func lies(_ address: IPv4Address, in networks: [String]) -> Bool {
        networks.contains { IPv4Prefix($0)!.contains(address) }
    }

    /// RFC 6052 §2.2, octet by octet.
    static func embed(_ literal: IPv4Address, under prefix: String) -> String {
        let prefix = IPv6Prefix(prefix)!
        var octets = (0..<16).map { prefix.address.octet($0) }
        let (a, b, c, d) = literal.octets
        var place = prefix.length / 8
        for octet in [a, b, c, d] {
            if place == 8 { place = 9 }
            octets[place] = octet
            place += 1
        }
        return IPv6Address(bits: octets.reduce(0) { $0 << 8 | UInt128($1) }).description
    }

    /// The list of numbers that are no dotted quads, each judged by hand.
    static func isNumeric(_ node: String) -> Bool {
        let numeric = ["127.1", "0x7f.1", "017700000001", "1.2.3", "01.2.3.4", "::ffff:1.2.3.4", "2001:db8::1"]
        return numeric.contains(node) || IPv4Address(node) != nil
    }
}

/// This machine's /etc/services: names and other names, and their ports for TCP and UDP.
func servicePorts(_ text: String) -> [String: [Int32: UInt16]] {
    var ports: [String: [Int32: UInt16]] = [:]
    for line in text.split(separator: "\n") {
        let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
        guard words.count >= 2 else { continue }
        let number = words[1].split(separator: "/")
        guard number.count == 2, let port = UInt16(number[0]), ["tcp", "udp"].contains(number[1]) else { continue }
        for name in words.prefix(1) + words.dropFirst(2) {
            ports[String(name), default: [:]][number[1] == "tcp" ? 6 : 17] = port
        }
    }
    return ports
}
