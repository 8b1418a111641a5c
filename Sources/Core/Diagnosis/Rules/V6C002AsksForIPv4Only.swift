// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence

extension Rule {
    /// DNS64 makes an IPv6 address from an IPv4 one only for a question for AAAA.
    package static let asksForIPv4Only = Rule(
        id: "V6C-002", title: "asks the DNS for IPv4 addresses only",
        advice:
            "Call getaddrinfo with AF_UNSPEC instead of gethostbyname or AF_INET, and try every address that it returns.",
        adviceByLanguage: [
            .python:
                "Call socket.getaddrinfo or socket.create_connection instead of gethostbyname, leave AF_INET out, and ask for AAAA beside A.",
            .node:
                "Leave family at 0: no family: 4, and dns.lookup instead of dns.resolve4; dgram.createSocket of the address's family.",
            .go:
                "Dial \"tcp\" or \"udp\" with the name instead of \"tcp4\", \"udp4\", net.ResolveTCPAddr, net.ResolveUDPAddr "
                + "or LookupIP(ctx, \"ip4\", name).",
            .java:
                "Leave java.net.preferIPv4Stack out, as an option and in System.setProperty, and start it with "
                + "-Djava.net.preferIPv6Addresses=system.",
            .ruby:
                "Use TCPSocket.new(name, port) or Addrinfo.foreach instead of Socket::AF_INET, IPSocket.getaddress or Resolv's A records; "
                + "UDPSocket.new without a family is for IPv4: give it the family that Addrinfo has.",
            .perl: "Use IO::Socket::IP instead of IO::Socket::INET, gethostbyname and inet_aton.",
            .php:
                "Use stream_socket_client with the name instead of gethostbyname; no CURL_IPRESOLVE_V4, and DNS_AAAA beside DNS_A.",
            .erlang:
                "Give the option inet6 (gen_tcp, Mint, Ecto, httpc's ipfamily), with inet as the second try: Erlang asks for A records unless told "
                + "otherwise.",
            .lua:
                "Use socket.connect(name, port), which tries every address, instead of socket.tcp4, socket.udp4 and socket.dns.toip; "
                + "socket.dns.getaddrinfo gives all of them.",
            .rust: "Use TcpStream::connect((name, port)) or ToSocketAddrs, and keep SocketAddr::V6.",
        ],
        fittingAdvice: { _, observations in Tool.adviceOnIPv4(for: observations) },
        networks: .ipv6Only, needs: [.queries]
    ) { examination in
        let run = examination.run
        let askedForIPv6 = Set(run.seen.questions.filter { $0.question.type == .aaaa }.map(\.name))
        // If the name does not exist, or a fault answers, AAAA would have been of no more use.
        let names = run.seen.questions.filter {
            $0.question.type == .a && !$0.name.isRoot && $0.first.responseCode == .noError && $0.isFaultless
                && !askedForIPv6.contains($0.name)
        }.map(\.name).unique
        // If the client fails on dual-stack too, the IPv4 address must at least have been of use there.
        let known = examination.control?.names
        let useful = Set(examination.telling.compactMap { known?[$0] })
        return names.filter { !examination.failsOnDualStackToo || useful.contains($0) }.map { name in
            let (asked, asking) = examination.placedLookupForIPv4Only(of: name)
            let answers = run.seen.questions.filter { $0.name == name }.flatMap(\.addresses)
            guard let call = examination.calls.attempts.first(where: { $0.address?.ip.map(answers.contains) == true })
            else { return Observation("\(asked).", at: asking, about: .name(name)) }
            let (called, site) = examination.told(call)
            // If no line of the lookup is known, the place of the attempt at the answer's address is the nearest.
            let nearest = asking?.file == nil && site.file != nil ? site : asking ?? site
            return Observation("\(asked). Then \(called).", at: nearest, about: .name(name))
        }
    }
}

extension Examination {
    /// The same as `lookupForIPv4Only`, or else with the place of the question: a resolver in the program itself makes no lookup calls of the
    /// C library.
    func placedLookupForIPv4Only(of name: DomainName) -> (statement: Statement, site: CallSite?) {
        let (asked, asking) = lookupForIPv4Only(of: name)
        guard asking?.file == nil, let site = site(ofLookupOf: name) else { return (asked, asking) }
        return (asked + ", in \(CallSite(function: site.function, file: site.file, line: site.line))", site)
    }

    /// `It asked for A of shop.test, and never for AAAA: f.c:3 called gethostbyname`, and the place of the call, with a line if one is
    /// known.
    func lookupForIPv4Only(of name: DomainName) -> (statement: Statement, site: CallSite?) {
        let all = lookups.filter { $0.isIPv4Only && $0.node.flatMap { try? DomainName($0) } == name }
        // Many programs try first whether the text is an address.
        let asking = all.filter { ![.inetAddr, .inetAton].contains($0.call) }
        let calls = asking.isEmpty ? all : asking
        let told = calls.map { call -> Statement in
            "\(call.site) called \(call.call)\(call.hints == nil ? "" : " with AF_INET" as Statement)"
        }.unique
        let isAsked = run.seen.questions.contains { $0.name == name }
        let start: Statement =
            isAsked
            ? "It asked for A of \(name), and never for AAAA"
            : "It looked \(name) up for IPv4 only, and nothing was asked, as this machine has no IPv4 address (AI_ADDRCONFIG)"
        return (
            told.dropFirst().reduce(told.first.map { "\(start): \($0)" } ?? start) { "\($0), and \($1)" },
            (calls.first { $0.site.file != nil } ?? calls.first)?.site
        )
    }
}
