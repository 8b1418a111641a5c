/// A cause that we know, with the number by which it can be looked up, discussed and searched for.
///
/// Numbers are never given twice.
public enum Rule: String, Sendable, CaseIterable {
    case literalAddress = "V6C-001"
    case asksForIPv4Only = "V6C-002"
    case ignoresIPv6Answer = "V6C-003"
    case nothingAttempted = "V6C-004"
    case noAnswer = "V6C-005"
    case refusedByTranslator = "V6C-006"
    case nameHasNoAddress = "V6C-007"
    case cutsAddressAtColon = "V6C-008"

    public var title: String {
        switch self {
        case .literalAddress: "connects to an IPv4 address, not to a name"
        case .asksForIPv4Only: "asks the DNS for IPv4 addresses only"
        case .ignoresIPv6Answer: "gets an IPv6 address and does not use it"
        case .nothingAttempted: "does not even try"
        case .noAnswer: "connects, and nobody answers"
        case .refusedByTranslator: "sends what no NAT64 can translate"
        case .nameHasNoAddress: "asks for a name that has no address"
        case .cutsAddressAtColon: "cuts an IPv6 address at a colon"
        }
    }

    /// What its author can do.
    public var advice: String {
        switch self {
        case .literalAddress:
            "Use a host name. Where the address comes as text, give it to getaddrinfo with AF_UNSPEC and without "
                + "AI_NUMERICHOST, instead of inet_addr or sockaddr_in: Apple's systems then synthesise an IPv6 address."
        case .asksForIPv4Only:
            "Call getaddrinfo with AF_UNSPEC instead of gethostbyname or AF_INET, and try every address that it returns."
        case .ignoresIPv6Answer:
            "Try every address that getaddrinfo returns, in its order, with a socket of that address's family."
        case .nothingAttempted:
            "Look for a reachability test that takes \"no IPv4 address\" or \"no IPv4 route\" for being offline."
        case .noAnswer:
            "Look at the port and the protocol: the far end did not accept."
        case .refusedByTranslator:
            "TCP, UDP and ICMP echo cross a NAT64; other protocols, and some ICMP, do not (RFC 6146 §1.2, RFC 7915 §4.2)."
        case .nameHasNoAddress:
            "Check the name, and whether the world file defines it."
        case .cutsAddressAtColon:
            "Keep address and port apart; as one text write [address]:port, and split at the last colon (RFC 3986 §3.2.2)."
        }
    }
}

/// A rule that was met, and by what.
public struct Finding: Hashable, Sendable {
    public var rule: Rule
    /// What was seen, a sentence each.
    public var evidence: [String]

    public init(rule: Rule, evidence: [String]) {
        self.rule = rule
        self.evidence = evidence
    }
}
