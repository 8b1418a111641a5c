// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

extension Rule {
    /// A program that joins an address and a port to a URL as strings passes the URL to another program, which cannot parse it.
    package static let addressInURL = Rule(
        id: "V6C-092", title: "makes a URL of an IPv6 address without brackets",
        advice:
            "Write an IPv6 address in a URL in brackets, with the port behind them: http://[2001:db8::1]:8080/ (RFC 3986 §3.2.2).",
        adviceByLanguage: [
            .go: "Join host and port by net.JoinHostPort, which puts an IPv6 address in brackets.",
            .shell: "Put an address with a colon in brackets: case $host in *:*) host=\"[$host]\" ;; esac",
            .node: "Put an address with a colon in brackets: net.isIPv6(host) ? `[${host}]` : host.",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-004", "V6C-033", "V6C-037", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let known = Set(
            (examination.run.seen.questions + (examination.control?.seen.questions ?? [])).flatMap(\.addresses))
        // Where the program itself makes the URL, its library reports it.
        if let error = examination.reportedError, let host = addressOfURL(in: error.message, known) {
            return [Observation("\(error.statement) The address is to be [\(host)].", at: error.site)]
        }
        guard !evidence.attempts.contains(where: { $0.error == nil && $0.leavesTheMachine }) else {
            return []
        }
        let found = evidence.programs.flatMap { program in
            program.arguments.dropFirst().compactMap { argument in
                addressWithoutBrackets(in: argument, known).map { (program, argument, $0) }
            }
        }
        guard let (program, argument, host) = found.first else { return [] }
        return [
            Observation(
                "\(text: baseName(program.command))\(evidence.start(of: program))\(evidence.starter(of: program)) was given "
                    + "\"\(text: argument)\": the address is to be [\(host)].", at: evidence.site(of: program))
        ]
    }
}

/// The IPv6 address of a URL without brackets in an error message, whole or from its first colon on, where libraries look for the port:
/// `invalid port ":c633:640a:80"`, `nonnumeric port: 'ff9b::c633:640a:80'`.
private func addressOfURL(in message: String, _ known: Set<IPAddress>) -> IPv6Address? {
    let words = message.split { " \"'<>,".contains($0) }
    if let host = words.lazy.compactMap({ addressWithoutBrackets(in: String($0), known) }).first { return host }
    for case .ipv6(let address) in known where message.contains("port") {
        let groups = "\(address)".drop { $0 != ":" }.dropFirst()
        if words.contains(where: { $0 == groups || $0.hasPrefix(groups + ":") }) { return address }
    }
    return nil
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
