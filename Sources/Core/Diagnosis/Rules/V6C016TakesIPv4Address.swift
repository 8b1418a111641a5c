// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The name has a reachable address, which the client knows, but it tries only the other one: its socket is of AF_INET, or it takes the
    /// first address from its runtime, which puts IPv4 first.
    package static let takesIPv4Address = Rule(
        id: "V6C-016", title: "tries only the IPv4 address of a name that has an IPv6 address",
        advice: adviceOnOrder,
        adviceByLanguage: [
            .java:
                "Do not choose Inet4Address, and start it with -Djava.net.preferIPv6Addresses=system: Java puts IPv4 addresses first, and new "
                + "Socket tries one.",
            .node:
                "Leave family at 0 and autoSelectFamily on (the default since Node.js 20), and neither take the first result of dns.lookup "
                + "nor choose by net.isIPv4.",
            .python:
                "Use socket.create_connection((host, port)), which tries every address, instead of an AF_INET socket.",
            .go:
                "Dial \"tcp\" or \"udp\" with the name, not \"tcp4\" or \"udp4\", nor the first address of net.LookupIP, nor net.ResolveTCPAddr and "
                + "net.ResolveUDPAddr, which prefer IPv4.",
            .ruby:
                "Use TCPSocket.new(host, port) or Socket.tcp, which try every address, instead of an AF_INET socket; a pattern that "
                + "chooses addresses has to let IPv6 ones through.",
            .php: "Use stream_socket_client with the name; for curl leave CURLOPT_IPRESOLVE alone.",
            .perl: "Use IO::Socket::IP, which tries every address, instead of IO::Socket::INET.",
            .erlang:
                "Give the option inet6 (gen_tcp, Mint, Ecto, httpc's ipfamily), with inet as the second try: Erlang asks for A records unless told "
                + "otherwise.",
            .rust:
                "Use TcpStream::connect((host, port)), which tries every address; do not filter for SocketAddr::V4, and bind a UdpSocket to "
                + "the family of the far end.",
        ],
        fittingAdvice: { examination, observations in
            // Where a look-up for both families gave the IPv6 address, the program dropped it afterwards.
            let names = observations.compactMap { if case .name(let name) = $0.target { name } else { nil } }
            let isForBoth = names.allSatisfy { name in
                examination.lookups.contains {
                    $0.node.flatMap { try? DomainName($0) } == name && $0.answers.contains { !$0.isIPv4 }
                }
            }
            // The other languages put IPv4 first, or take one address; their advice tells of that.
            let language = Language(of: observations.first?.site, in: examination)
            guard isForBoth, !names.isEmpty, [.python, .ruby, .perl, .php, .lua].contains(language) else { return nil }
            if examination.adviceOnBoundSocket != nil { return adviceOnOrder }
            guard let choice = examination.choiceOfIPv4 else {
                return
                    "Look for what drops the IPv6 address that its look-up gave, before that line: a pattern for four numbers and dots, a "
                    + "conversion or a check for IPv4 alone, a list of what is allowed. Try every address, in the order of the answer."
            }
            // At the call's own line, it is the socket that chooses.
            return observations.contains { ($0.site?.file, $0.site?.line) == (choice.file, choice.line) }
                ? nil : "Take out what chooses IPv4 at that line, and try every address, in the order of the answer."
        },
        furtherAdvice: { $0.adviceOnBoundSocket },
        networks: .ipv6Only, supersedes: ["V6C-003"]
    ) { examination in
        let calls = examination.calls
        let questions = examination.run.seen.questions + (examination.again?.seen.questions ?? [])
        let tried = Set(calls.attempts.compactMap(\.address?.ip)).union(examination.run.seen.flows.map(\.remote))
        return questions.map(\.name).unique.compactMap { name in
            let addresses = questions.filter { $0.name == name }.flatMap(\.addresses)
            let usable = addresses.filter { !$0.isIPv4 }
            guard let other = usable.first, tried.isDisjoint(with: usable),
                let call = calls.attempts.first(where: {
                    $0.isUnreachable && $0.ipv4.map { addresses.contains(.ipv4($0)) } == true
                        && !examination.isWritten($0)
                })
            else { return nil }
            let (statement, site) = examination.told(call)
            let lookup = examination.site(ofLookupOf: name)
            let place = lookup?.file == site.file ? "" : examination.lookupPlace(lookup)
            return Observation(
                "\(statement): \(name) has \(other) too, and it did not try that.\(place)", at: site, about: .name(name)
            )
        }
    }
}

private let adviceOnOrder =
    "Try every address that getaddrinfo returns, in its order, with a socket of that address's family."
