package import Wire

/// Whose getaddrinfo the client finds.
package enum GetaddrinfoProfile: String, Sendable, CaseIterable {
    case apple
    /// iOS 9.2 and OS X 10.11.2, the first with literal synthesis.
    case appleIOS9 = "apple-ios9"
    case android
    case chromium
    /// The machine's own: nothing is put before it.
    case linux
}

/// Why an answer of getaddrinfo is what it is: the words that the preloaded library's evidence has for it.
package enum SynthesisOutcome: String, Sendable, CaseIterable {
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

/// A call with which the client looked up a host or read an address, as the preloaded library saw it.
package struct Lookup: Hashable, Sendable {
    /// `getaddrinfo`, `gethostbyname`, `inet_addr`, …
    package var call: String
    /// The name or address that was asked about.
    package var node: String?
    package var service: String?
    /// Nil where there were none.
    package var hints: LookupHints?
    /// getaddrinfo: 0 or an EAI code; gethostbyname and its kin: 0 or an h_errno; inet_addr, inet_aton: 1 or 0.
    package var result: Int
    /// The different addresses of the answer, in its order.
    package var answers: [String]
    /// getaddrinfo only.
    package var outcome: SynthesisOutcome?
    /// The client or the child of it that called.
    package var program: String?
    /// The object that called (the executable or a library) and the offset of the call in it.
    package var module: String?
    package var offset: Int?
    /// The process that called first.
    package var process: Int
    /// How often the same call came from the same place with the same outcome.
    package var count: Int

    package init(
        call: String, node: String?, service: String? = nil, hints: LookupHints? = nil, result: Int = 0,
        answers: [String] = [], outcome: SynthesisOutcome? = nil, program: String? = nil, module: String? = nil,
        offset: Int? = nil, process: Int = 0, count: Int = 1
    ) {
        self.call = call
        self.node = node
        self.service = service
        self.hints = hints
        self.result = result
        self.answers = answers
        self.outcome = outcome
        self.program = program
        self.module = module
        self.offset = offset
        self.process = process
        self.count = count
    }

    package init(_ record: EvidenceRecord) {
        self.init(
            call: record.call, node: record.node, service: record.service, hints: record.hints, result: record.result,
            answers: record.answers, outcome: record.why.flatMap(SynthesisOutcome.init), program: record.program,
            module: record.module, offset: record.offset, process: record.pid)
    }

    /// The IPv4 address that the client had as text and wanted to reach, where this is about one. What only stays in the
    /// machine (0.0.0.0/8, 127.0.0.0/8) and the broadcast address are no addresses to reach.
    package var literal: IPv4Address? {
        guard call != "inet_ntoa", let address = node.flatMap({ IPv4Address($0) }) else { return nil }
        return [0, 127].contains(address.bits >> 24) || address.bits == .max ? nil : address
    }

    /// The addresses that getaddrinfo synthesised; IPv4-mapped ones (::ffff:0:0/96) it was asked for.
    package var synthesised: [IPv6Address] {
        guard outcome == .literal || outcome == .name else { return [] }
        return answers.compactMap { IPv6Address($0) }.filter { $0.bits >> 32 != 0xffff }
    }

    /// Whether the call can give nothing but IPv4 addresses.
    package var isIPv4Only: Bool {
        switch call {
        case "getaddrinfo", "gethostbyname2", "gethostbyname2_r": hints?.family == LookupHints.ipv4
        default: true
        }
    }

    /// `client+0x11f0`, or for a library that the client has called `client, libcurl.so.4+0x2f1c0`.
    package var caller: String {
        let module = (self.module ?? "").split(separator: "/").last.map(String.init)
        let place = module.flatMap { module in offset.map { "\(module)+0x" + String($0, radix: 16) } }
        guard let program, !program.isEmpty else { return place ?? "a program" }
        guard let place else { return program }
        return module == program ? place : "\(program), \(place)"
    }
}
