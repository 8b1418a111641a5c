// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

extension Rule {
    /// A program that joins an address and a port as strings passes the result to a library or another program, which cannot parse it.
    package static let addressInURL = Rule(
        id: "V6C-092", title: "writes an IPv6 address into a URL, or before a port, without brackets",
        advice:
            "Write an IPv6 address in a URL in brackets, with the port behind them: http://[2001:db8::1]:8080/ (RFC 3986 §3.2.2).",
        adviceByLanguage: [
            .go: "Join host and port by net.JoinHostPort, which puts an IPv6 address in brackets.",
            .shell: "Put an address with a colon in brackets: case $host in *:*) host=\"[$host]\" ;; esac",
            .node: "Put an address with a colon in brackets: net.isIPv6(host) ? `[${host}]` : host.",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-004", "V6C-008", "V6C-012", "V6C-033", "V6C-037", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let known = Set(
            (examination.run.seen.questions + (examination.control?.seen.questions ?? [])).flatMap(\.addresses))
        // Where the program itself makes the URL, its library reports it.
        if let error = examination.reportedError {
            let host = addressBeforePort(in: error.message, known) ?? addressOfURL(in: error.message, known)
            if let host { return [Observation("\(error.statement) The address is to be [\(host)].", at: error.site)] }
        }
        for complaint in examination.complaints {
            guard let host = wholeAddress(in: complaint, known) else { continue }
            guard let error = examination.ownError else {
                return [Observation("It said \"\(text: complaint)\": the address is to be [\(host)].")]
            }
            return [Observation("\(examination.told(error)) The address is to be [\(host)].", at: error.site)]
        }
        for lookup in examination.lookups {
            guard let host = addressWhoseLastGroupIsThePort(of: lookup, known) else { continue }
            return [
                Observation(
                    "\(lookup.site) asked for \"\(text: lookup.node ?? "")\": the last group of \(host) was taken for the port. The address is "
                        + "to be [\(host)].", at: lookup.site)
            ]
        }
        if let complaint = examination.complaint(of: complaintsOfURLs),
            evidence.attempts.allSatisfy({ !$0.leavesTheMachine || $0.address?.port == 53 }),
            let host = known.compactMap(\.ipv6).first
        {
            let error = examination.ownError
            // The line of the script that started curl says more.
            if error?.site == nil, let given = givenURL(in: examination, known) { return [given] }
            let said: Statement = error.map(examination.told) ?? "It said \"\(text: complaint)\"."
            return [Observation("\(said) In a URL the address is to be [\(host)].", at: error?.site)]
        }
        if let asked = examination.run.seen.connections.compactMap(\.proxied).first(where: { $0.result == .unreadable })
        {
            let error = examination.ownError
            let said: Statement = error.map { " \(examination.told($0))" } ?? ""
            return [
                Observation(
                    "It asked a proxy for \"\(text: "\(asked.host):\(asked.port)")\": the address is to be [\(text: asked.host)].\(said)",
                    at: error?.site)
            ]
        }
        return givenURL(in: examination, known).map { [$0] } ?? []
    }
}

/// A program that was given such a URL, and connected to nothing.
private func givenURL(in examination: Examination, _ known: Set<IPAddress>) -> Observation? {
    let evidence = examination.traced
    let connected = Set(evidence.attempts.filter { $0.error == nil && $0.leavesTheMachine }.map(\.program))
    let found = evidence.programs.indices.filter { !connected.contains($0) }.flatMap { index in
        let program = evidence.programs[index]
        return program.arguments.dropFirst().compactMap { argument in
            addressWithoutBrackets(in: argument, known).map { (program, argument, $0) }
        }
    }
    guard let (program, argument, host) = found.first else { return nil }
    return Observation(
        "\(text: baseName(program.command))\(evidence.start(of: program))\(evidence.starter(of: program)) was given "
            + "\"\(text: argument)\": the address is to be [\(host)].", at: evidence.site(of: program))
}

/// Messages of libcurl about a URL that it cannot take apart, in lower case; they do not repeat it.
private let complaintsOfURLs = ["url using bad/illegal format", "port number was not a decimal number"]

private func words(of message: String) -> [Substring] { message.split { " \"'<>,()".contains($0) } }

/// The IPv6 address of a URL without brackets in a message, or the one before a port in what Go's net.Dial says.
private func wholeAddress(in message: String, _ known: Set<IPAddress>) -> IPv6Address? {
    let words = words(of: message)
    if let host = words.lazy.compactMap({ addressWithoutBrackets(in: String($0), known) }).first { return host }
    guard message.contains("too many colons in address") else { return nil }
    return known.compactMap(\.ipv6).first { address in words.contains { $0.hasPrefix("\(address):") } }
}

/// The same, or the rest of an address from its first colon on, where libraries look for the port: `invalid port ":c633:640a:80"`,
/// `nonnumeric port: 'ff9b::c633:640a:80'`.
private func addressOfURL(in message: String, _ known: Set<IPAddress>) -> IPv6Address? {
    if let address = wholeAddress(in: message, known) { return address }
    guard message.lowercased().contains("port") || message.contains("at index") else { return nil }
    let words = words(of: message)
    return known.compactMap(\.ipv6).first { address in
        spellings(of: address).contains { spelling in
            let groups = spelling.drop { $0 != ":" }.dropFirst()
            return words.contains { $0 == groups || $0.hasPrefix(groups + ":") }
        }
    }
}

/// The IPv6 address that an error has before a port, `bad endpoint 64:ff9b::c633:640a:80`, or that Rust cannot parse.
private func addressBeforePort(in message: String, _ known: Set<IPAddress>) -> IPv6Address? {
    let addresses = known.compactMap(\.ipv6)
    if message.contains("AddrParseError(Socket)") || message.contains("invalid socket address syntax") {
        return addresses.first
    }
    let words = words(of: message)
    return addresses.first { address in
        words.contains { $0.hasPrefix("\(address):") && UInt16($0.dropFirst("\(address):".count)) != nil }
    }
}

/// The address that a library took apart at its last colon, where a port follows the host in a URL. The rest may be an address, too.
private func addressWhoseLastGroupIsThePort(of lookup: Lookup, _ known: Set<IPAddress>) -> IPv6Address? {
    guard let node = lookup.node, node.contains(":") else { return nil }
    return known.compactMap(\.ipv6).first { address in
        let written = "\(address)"
        guard let colon = written.lastIndex(of: ":"), written[..<colon] == node else { return false }
        let group = written[written.index(after: colon)...]
        return UInt16(group) != nil && lookup.service.map { $0 == group } != false
    }
}

/// As RFC 5952 writes it, and as Java does: with all of its groups.
private func spellings(of address: IPv6Address) -> [String] {
    let groups = (0..<8).map { String((address.bits >> (112 - 16 * $0)) & 0xffff, radix: 16) }
    return ["\(address)", groups.joined(separator: ":")]
}

/// The IPv6 address that is a URL's host without brackets; a port may follow it. `nil` for anything else.
/// - Parameter known: the addresses of DNS answers: they show whether the last group is a port.
private func addressWithoutBrackets(in argument: String, _ known: Set<IPAddress>) -> IPv6Address? {
    let parts = argument.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let authority = parts[1].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard host.utf8.count <= 64, host.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1, !host.hasPrefix("[") else {
        return nil
    }
    let whole = IPv6Address(host)
    if let whole, known.contains(.ipv6(whole)) { return whole }
    if let colon = host.lastIndex(of: ":"), UInt16(host[host.index(after: colon)...]) != nil,
        let address = IPv6Address(host[..<colon])
    {
        return address
    }
    return whole
}
