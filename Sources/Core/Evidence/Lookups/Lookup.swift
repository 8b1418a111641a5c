// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The system whose getaddrinfo the client finds.
package enum GetaddrinfoProfile: String, Codable, Sendable, CaseIterable {
    case apple
    /// iOS 9.2 and OS X 10.11.2, the first with literal synthesis.
    case appleIOS9 = "apple-ios9"
    case android
    case chromium
    /// The machine's own getaddrinfo, unchanged.
    case linux
}

/// The system whose URL loading the client finds: it decides the fate of an IPv4 literal in a URL.
package enum URLLoading: String, Codable, Sendable, CaseIterable {
    /// URLSession and CFNetwork synthesise an address for it. Foundation only.
    case apple
    /// Foundation hands it to libcurl, which opens an IPv4 socket.
    case linux
}

/// Why getaddrinfo answered, or URL loading connected, as it did: the words in the preloaded library's evidence.
package enum SynthesisOutcome: String, Codable, Sendable, CaseIterable {
    case literal
    case name
    case notByProfile = "profile"
    case noNode = "no-node"
    case numericHost = "numerichost"
    case family
    case `protocol`
    case noDottedQuad = "no-dotted-quad"
    case excluded
    case noIPv6Address = "no-ipv6-address"
    case ipv4Reachable = "ipv4-reachable"
    case unknownService = "unknown-service"
    case noPref64 = "no-pref64"
    case notNeeded = "not-needed"
    case failed
}

/// A function of the C library that looks up a host, or reads or writes an address.
package enum LookupFunction: String, Codable, Sendable, CaseIterable {
    case getaddrinfo
    case gethostbyname
    case gethostbyname2
    case gethostbynameR = "gethostbyname_r"
    case gethostbyname2R = "gethostbyname2_r"
    case inetAddr = "inet_addr"
    case inetAton = "inet_aton"
    case inetNtoa = "inet_ntoa"
    /// Only of an IPv6 address that the client gave to a function for IPv4.
    case inetPton = "inet_pton"
    /// Only where it had no room for the text of an IPv6 address.
    case inetNtop = "inet_ntop"
    /// A connection of Foundation's URL loading to a literal; other connections are not looked at.
    case connect

    /// Whether the preloaded library can make an IPv6 address of the literal.
    package var maySynthesise: Bool { self == .getaddrinfo || self == .connect }
}

/// A call with which the client looked up a host or read an address, as the preloaded library saw it.
package struct Lookup: Codable, Hashable, Sendable {
    package var call: LookupFunction
    /// The name or address in the call.
    package var node: String?
    package var service: String?
    /// `nil` if the call had none.
    package var hints: LookupHints?
    /// 0 for a connection and inet_ntop; getaddrinfo: 0 or an EAI code; gethostbyname and its variants: 0 or an h_errno; inet_addr, inet_aton,
    /// inet_pton: 1 or 0.
    package var result = 0
    /// The different addresses of the answer, in its order.
    package var answers: [IPAddress] = []
    /// getaddrinfo and connect only.
    package var outcome: SynthesisOutcome?
    package var site = CallSite()
    /// The origin of the literal; `nil` if it was not found, or the run was not traced.
    package var origin: AddressOrigin?
    /// The first process that made the call.
    package var process = 0
    /// How often the same call was made at the same place with the same outcome.
    package var count = 1

    package init(_ call: LookupFunction, _ node: String?) {
        self.call = call
        self.node = node
    }

    /// `nil` if the record is about another function.
    package init?(_ record: EvidenceRecord) {
        guard let call = LookupFunction(rawValue: record.call) else { return nil }
        self.init(call, record.node)
        service = record.service
        hints = record.hints
        result = record.result
        answers = record.answers.compactMap { IPAddress($0) }
        outcome = record.why.flatMap(SynthesisOutcome.init)
        site = CallSite(program: record.program, module: record.module, offset: record.offset)
        // A frame of a library's own thread, such as asyncio's executor, does not show the code that waits for the answer.
        if let frame = record.frames.own, !frame.isOfLibrary {
            site.stand(at: frame, through: record.frames.through)
        }
        process = record.pid
    }

    /// The IPv4 literal that the client wanted to reach, if this is about one. Addresses that stay in the machine (0.0.0.0/8, 127.0.0.0/8)
    /// and the broadcast address do not count.
    package var literal: IPv4Address? {
        guard call != .inetNtoa, let address = node.flatMap({ IPv4Address($0) }) else { return nil }
        return [0, 127].contains(address.bits >> 24) || address.bits == .max ? nil : address
    }

    /// The synthesised addresses, without IPv4-mapped ones (::ffff:0:0/96), which the client asked for.
    package var synthesised: [IPv6Address] {
        guard outcome == .literal || outcome == .name else { return [] }
        return answers.compactMap { answer in
            guard case .ipv6(let address) = answer, address.mapped == nil else { return nil }
            return address
        }
    }

    /// Whether getaddrinfo got a literal for which the getaddrinfo of another system would synthesise an address.
    package var isLeftToProfile: Bool { call == .getaddrinfo && literal != nil && outcome == .notByProfile }

    /// Whether the call wanted an address for a literal of IPv4 and got none, as the machine has no IPv4 address (AI_ADDRCONFIG, RFC 3493 §6.1).
    /// With AI_NUMERICHOST a program may only ask whether a text is an address.
    package var isRefusedLiteral: Bool {
        guard call == .getaddrinfo, literal != nil, result != 0, let hints else { return false }
        return hints.family != LookupHints.ipv6 && hints.flags & LookupHints.addressConfigured != 0
            && hints.flags & LookupHints.numericHost == 0
    }

    /// Whether the call can return nothing but IPv4 addresses.
    package var isIPv4Only: Bool {
        switch call {
        case .getaddrinfo, .gethostbyname2, .gethostbyname2R: hints?.family == LookupHints.ipv4
        case .gethostbyname, .gethostbynameR, .inetAddr, .inetAton, .inetNtoa: true
        case .connect, .inetPton, .inetNtop: false
        }
    }

    /// Whether the call only reads or writes an address, and asks for nothing.
    package var isReading: Bool {
        switch call {
        case .inetAddr, .inetAton, .inetNtoa, .inetPton, .inetNtop: true
        case .getaddrinfo, .gethostbyname, .gethostbyname2, .gethostbynameR, .gethostbyname2R, .connect: false
        }
    }

    /// Whether the call gave an IPv6 address to a function for IPv4.
    fileprivate var isRefusedReading: Bool {
        isReading && call != .inetNtoa && call != .inetNtop && result == 0 && node.flatMap { IPv6Address($0) } != nil
    }
}

extension RunEvidence {
    /// The calls that read an IPv6 address as an IPv4 one, whose text the client then neither read as what it is nor looked up.
    package var misreadings: [Lookup] {
        lookups.filter { lookup in
            lookup.isRefusedReading
                && !lookups.contains { other in
                    other.node == lookup.node
                        && (other.isReading ? other.call == .inetPton && other.result == 1 : other.result == 0)
                }
        }
    }
}
