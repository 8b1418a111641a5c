// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// A function that supports IPv4 only, and its replacement for both families.
    private struct OldCall {
        let rule: SourceRule
        var certainty = Certainty.unlessBesideIPv6
        let instead: String
    }

    private static let callsOfC: [String: OldCall] = [
        "gethostbyname": OldCall(rule: .asksForIPv4Only, instead: "getaddrinfo"),
        "gethostbyname_r": OldCall(rule: .asksForIPv4Only, instead: "getaddrinfo"),
        "inet_addr": OldCall(rule: .literalAddress, instead: "getaddrinfo"),
        "inet_aton": OldCall(rule: .literalAddress, instead: "getaddrinfo"),
        // It produces text for people more often than for a connection.
        "inet_ntoa": OldCall(rule: .knowsIPv4SocketsOnly, certainty: .possible, instead: "getnameinfo"),
    ]

    private static let callsOfPython: [String: OldCall] = [
        "gethostbyname": OldCall(rule: .asksForIPv4Only, instead: "socket.getaddrinfo"),
        "gethostbyname_ex": OldCall(rule: .asksForIPv4Only, instead: "socket.getaddrinfo"),
        // Both pack numbers into protocols more often than they make a destination.
        "inet_aton": OldCall(rule: .literalAddress, certainty: .possible, instead: "the ipaddress module"),
        "inet_ntoa": OldCall(rule: .knowsIPv4SocketsOnly, certainty: .possible, instead: "socket.inet_ntop"),
    ]

    private static let callsOfJavaScript: [String: OldCall] = [
        "resolve4": OldCall(rule: .asksForIPv4Only, instead: "dns.lookup")
    ]

    /// A program that calls none of these sends nothing to the address: it may be for a file, a log or a comparison.
    private static let sending: Set<String> = ["connect", "connect_ex", "sendto", "sendmsg"]

    /// Calls of functions that support IPv4 only: the first call of each function, as one cause leads to many.
    static func calls(in source: TokenizedSource) -> [SourceFinding] {
        let calls: [String: OldCall]
        switch source.language {
        case .c, .swift: calls = callsOfC
        case .python: calls = callsOfPython
        case .javaScript: calls = callsOfJavaScript
        default: return []
        }
        // resolve4 of Node returns text to its caller.
        let isDestination = source.language == .javaScript || source.hasAny(sending)
        let isPossible = source.knowsIPv6 || source.isAboutIPv4 || source.hasAny(wiresOfIPv4) || !isDestination
        let ownNames = askingOwnName.union(namesOfThisMachine(source))
        var told: Set<String> = []
        var found: [SourceFinding] = []
        for (index, token) in source.tokens.enumerated() where token.kind == .identifier {
            let name = source.text(token)
            guard source.isWord(index + 1, "("), let call = calls[name], !told.contains(name),
                isCall(index, in: source), let certainty = certainty(of: call, at: index, in: source, ownNames)
            else { continue }
            told.insert(name)
            found.append(
                source.finding(
                    call.rule, isPossible ? .possible : certainty, at: token,
                    "\(name) knows IPv4 only; use \(call.instead)"))
        }
        return found
    }

    /// `nil` for a call with a string, which `literals` reports if its address is unreachable.
    /// - Parameter ownNames: functions and variables that contain this machine's name.
    private static func certainty(
        of call: OldCall, at index: Int, in source: TokenizedSource, _ ownNames: Set<String>
    ) -> Certainty? {
        let argument = index + 2
        guard source.tokens.indices.contains(argument) else { return call.certainty }
        let isString = source.tokens[argument].kind == .string
        switch call.rule {
        case .literalAddress: return isString ? nil : call.certainty
        case .asksForIPv4Only:
            // `gethostbyname(gethostname())` looks up this machine, whose address is in /etc/hosts.
            let end = min(argument + 4, source.tokens.count)
            let isOwn = source.has(ownNames, in: argument..<end)
            return isOwn || isString && source.text(source.tokens[argument]) == "localhost" ? .possible : call.certainty
        default: return call.certainty
        }
    }

    /// A program that lists interfaces or routes, or makes packets, works on IPv4 itself.
    private static let wiresOfIPv4: Set<String> = ["ifconf", "rtentry", "arpreq", "SOCK_RAW", "SOCK_PACKET"]

    private static let askingOwnName: Set<String> = ["gethostname", "getfqdn", "GetHostName"]

    /// Variables that contain this machine's name: `gethostname(name, …)`, `name = socket.gethostname()`.
    private static func namesOfThisMachine(_ source: TokenizedSource) -> Set<String> {
        var names: Set<String> = []
        for index in source.tokens.indices where askingOwnName.contains(where: { source.isWord(index, $0) }) {
            let isAssigned = source.isWord(index - 1, ".") && source.isWord(index - 3, "=")
            let place = isAssigned ? index - 4 : index + 2
            if source.tokens.indices.contains(place), source.tokens[place].kind == .identifier {
                names.insert(source.text(source.tokens[place]))
            }
        }
        return names
    }

    /// Whether an identifier with a parenthesis is a call, not a declaration, a definition or another object's method.
    private static func isCall(_ index: Int, in source: TokenizedSource) -> Bool {
        if ["const", "char", "struct", "void", "in_addr_t"].contains(where: { source.isWord(index + 2, $0) }) {
            return false
        }
        guard index > 0 else { return true }
        if ["def", "func", "function", "define"].contains(where: { source.isWord(index - 1, $0) }) { return false }
        if source.isWord(index - 1, ".") {
            return ["socket", "dns", "dnsPromises", "promises"].contains { source.isWord(index - 2, $0) }
        }
        // `in_addr_t inet_addr(cp)` declares it; `return inet_addr(cp)` calls it.
        let last = source.tokens[index - 1]
        return last.kind != .identifier || last.line != source.tokens[index].line
            || ["return", "await", "else", "in", "if", "not", "and", "or"].contains(source.text(last))
    }
}
