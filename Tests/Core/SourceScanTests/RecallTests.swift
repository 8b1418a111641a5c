// SPDX-License-Identifier: Apache-2.0
import SourceScan
import Testing

/// Twenty-one mistakes that people make, each as short as it can be: which are told, which with `--all`, and which not. The table
/// is that of docs/scan.md.
struct RecallTests {
    enum Found: Equatable {
        case told
        case onDemand
        case no
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let name: String
        let language: SourceLanguage
        let source: String
        let rule: SourceRule
        let found: Found
        var testDescription: String { name }
    }

    static let mistakes = [
        Mistake(
            name: "C: gethostbyname", language: .c, source: "h = gethostbyname(n); connect(s, a, l);",
            rule: .asksForIPv4Only, found: .told),
        Mistake(
            name: "C: inet_addr of a word", language: .c, source: "a.s_addr = inet_addr(n); connect(s, &a, l);",
            rule: .literalAddress, found: .told),
        Mistake(
            name: "C: inet_addr of a literal", language: .c, source: "x = inet_addr(\"10.1.2.3\"); connect(s, &a, l);",
            rule: .literalAddress, found: .onDemand),
        Mistake(
            name: "C: a socket for IPv4", language: .c,
            source: "s = socket(AF_INET, SOCK_STREAM, 0); connect(s, &a, l);", rule: .knowsIPv4SocketsOnly, found: .told
        ),
        Mistake(
            name: "C: the size of sockaddr for ai_addr", language: .c,
            source: "connect(s, r->ai_addr, sizeof(struct sockaddr));", rule: .passesShortLength, found: .told),
        Mistake(
            name: "C: hints of AF_INET", language: .c,
            source: "hints.ai_family = AF_INET; getaddrinfo(n, p, &hints, &r);", rule: .asksForIPv4Only, found: .no),
        Mistake(
            name: "C: sscanf of four numbers", language: .c, source: "sscanf(t, \"%d.%d.%d.%d\", &a, &b, &c, &d);",
            rule: .acceptsDottedQuadsOnly, found: .onDemand),
        Mistake(
            name: "Python: connect to a literal", language: .python, source: "s.connect((\"10.1.2.3\", 80))",
            rule: .literalAddress, found: .told),
        Mistake(
            name: "Python: gethostbyname", language: .python, source: "a = socket.gethostbyname(n)\ns.connect((a, 80))",
            rule: .asksForIPv4Only, found: .told),
        Mistake(
            name: "Python: a socket for IPv4", language: .python,
            source: "s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)\ns.connect((h, 80))",
            rule: .knowsIPv4SocketsOnly, found: .told),
        Mistake(
            name: "Python: bind to 0.0.0.0", language: .python, source: "s.bind((\"0.0.0.0\", 80))",
            rule: .listensOnIPv4Only, found: .told),
        Mistake(
            name: "Go: dial tcp4", language: .go, source: "c, err := net.Dial(\"tcp4\", a)",
            rule: .knowsIPv4SocketsOnly, found: .told),
        Mistake(
            name: "Go: dial a literal", language: .go, source: "c, err := net.Dial(\"tcp\", \"10.1.2.3:80\")",
            rule: .literalAddress, found: .told),
        Mistake(
            name: "Go: host and port in one text", language: .go,
            source: "c, err := net.Dial(\"tcp\", fmt.Sprintf(\"%s:%d\", h, p))", rule: .joinsWithoutBrackets,
            found: .told),
        Mistake(
            name: "Go: To4 without a check", language: .go, source: "a := ip.To4()\nsend(a[0])",
            rule: .ignoresIPv6Answer, found: .no),
        Mistake(
            name: "Java: a cast to Inet4Address", language: .java,
            source: "a = (Inet4Address) InetAddress.getByName(n);",
            rule: .ignoresIPv6Answer, found: .told),
        Mistake(
            name: "Java: preferIPv4Stack", language: .java,
            source: "System.setProperty(\"java.net.preferIPv4Stack\", \"true\");", rule: .knowsIPv4SocketsOnly,
            found: .told),
        Mistake(
            name: "JavaScript: family 4", language: .javaScript, source: "net.connect({ host, port, family: 4 })",
            rule: .asksForIPv4Only, found: .told),
        Mistake(
            name: "JavaScript: resolve4", language: .javaScript, source: "dns.resolve4(n, done)",
            rule: .asksForIPv4Only, found: .told),
        Mistake(
            name: "Swift: a host by its literal", language: .swift,
            source: "let c = NWConnection(host: NWEndpoint.Host(\"10.1.2.3\"), port: 80, using: .tcp)",
            rule: .literalAddress, found: .told),
        Mistake(
            name: "Swift: a literal in a name", language: .swift, source: "let host = \"10.1.2.3\"",
            rule: .literalAddress, found: .onDemand),
    ]

    @Test(arguments: mistakes) func `a known mistake is found as docs/scan.md says`(_ mistake: Mistake) {
        let found = (SourceScan.findings(in: Array(mistake.source.utf8), mistake.language)?.findings ?? [])
            .filter { $0.rule == mistake.rule }
        let isTold = found.contains { $0.certainty != .possible }
        #expect((isTold ? .told : found.isEmpty ? .no : .onDemand) == mistake.found)
    }
}
