// SPDX-License-Identifier: Apache-2.0
import Glibc
import SourceScan
import Testing

/// `rule line:column` of each finding, with a question mark behind what is told on demand only.
private func places(_ text: String, _ language: SourceLanguage) -> [String] {
    (SourceScan.findings(in: Array(text.utf8), language)?.findings ?? []).map {
        "\($0.rule.rawValue) \($0.line):\($0.column)\($0.certainty == .possible ? "?" : "")"
    }
}

struct LiteralScanTests {
    @Test(arguments: SourceLanguage.allCases.filter { $0 != .yaml })
    func `an address as a whole string is found, in every language`(language: SourceLanguage) {
        #expect(places("connect(\"10.1.2.3\")", language) == ["V6C-001 1:10"])
        #expect(places("connect(\"10.1.2.3:80\")", language) == ["V6C-001 1:10"])
        #expect(places("connect(\"http://10.1.2.3:80/x\")", language) == ["V6C-001 1:17"])
    }

    @Test(arguments: [
        "0.0.0.0", "127.0.0.1", "255.255.255.0", "192.0.2.7", "198.51.100.7", "203.0.113.7", "1.2.3.4", "10.0.0.0/8",
        "10.1.2", "10.1.2.3.4", "10.1.2.300", "10.01.2.3", "v10.1.2.3", "10.1.2.3 is mine", "10.1.2.3:port", "",
        "10.1.2.", "10.1.2.0", "10.1.2.255", "239.1.2.3", "255.1.2.3",
    ])
    func `what is no host elsewhere is not found`(text: String) {
        #expect(places("connect(\"\(text)\")", .c) == [])
    }

    @Test(arguments: [
        ("version = \"10.1.2.3\"", SourceLanguage.python), ("String oid = \"10.1.2.3\";", .java),
        ("// connect(\"10.1.2.3\")", .c), ("/* connect(\"10.1.2.3\") */", .go), ("# connect(\"10.1.2.3\")", .python),
        ("/* /* */ connect(\"10.1.2.3\") */", .swift), ("\"\"\"\n10.1.2.3\n\"\"\"", .python),
    ])
    func `versions and comments are not told`(text: String, language: SourceLanguage) {
        #expect(places(text, language).allSatisfy { $0.hasSuffix("?") })
    }

    @Test(arguments: [
        ("R\"x(10.1.2.3)x\"", SourceLanguage.c), ("`10.1.2.3`", .go), ("`10.1.2.3`", .javaScript),
        ("'10.1.2.3'", .python),
        ("connect(r'10.1.2.3')", .python), ("#\"10.1.2.3\"#", .swift), ("connect(\"\"\"10.1.2.3\"\"\")", .kotlin),
    ])
    func `each language's own strings are read`(text: String, language: SourceLanguage) {
        #expect(places(text, language).count == 1)
    }

    @Test func `a column counts code points, and a string of many lines its own lines`() {
        #expect(places("/* ä */ connect(\"10.1.2.3\")", .c) == ["V6C-001 1:18"])
        #expect(places("x = '\\'\n// '\nconnect(\"10.1.2.3\")", .javaScript) == ["V6C-001 3:10"])
    }

    @Test(arguments: [
        "connect(s, \"10.1.2.3\");", "x = fetch(\"http://10.1.2.3/\");",
        "InetSocketAddress(\"10.1.2.3\", 80)", "net.connect({ host: \"10.1.2.3\", port: 80 });",
    ])
    func `an address that is the argument of a call that goes there is told`(text: String) {
        #expect(places(text, .javaScript).count == 1)
        #expect(places(text, .javaScript).allSatisfy { $0.hasPrefix("V6C-001") && !$0.hasSuffix("?") })
    }

    @Test(arguments: [
        "x = \"10.1.2.3\";", "char *remote_host = \"10.1.2.3\";", "a = inet_addr(\"10.1.2.3\"); connect(s, a);",
        "dns_record(\"10.1.2.3\");", "assertEquals(host, \"10.1.2.3\");", "if (host == \"10.1.2.3\") {}",
        "log(host, \"10.1.2.3\");",
        "hosts = [\"10.1.2.3\",\n \"2001:db8::1\"];", "mcastGroupAddress = \"10.1.2.3\";",
        "function testConnect() { connect(\"10.1.2.3\"); }",
        "const exampleUrl = \"http://10.1.2.3/\";",
    ])
    func `elsewhere it is told on demand`(text: String) {
        #expect(places(text, .javaScript).count == 1)
        #expect(places(text, .javaScript).allSatisfy { $0.hasPrefix("V6C-001") && $0.hasSuffix("?") })
    }
}

struct CallScanTests {
    @Test func `a call of gethostbyname is found, its declaration is not`() {
        #expect(places("struct hostent *gethostbyname(const char *name);", .c) == [])
        #expect(places("int f(void) { h = gethostbyname(name); connect(s); }", .c) == ["V6C-002 1:19"])
        #expect(places("a = socket.gethostbyname(name); s.connect(a)", .python) == ["V6C-002 1:12"])
        #expect(places("a = self.gethostbyname(name)", .python) == [])
        #expect(places("def gethostbyname(name): pass", .python) == [])
    }

    @Test func `in a file that knows IPv6 a call is told on demand, a type not at all`() {
        #expect(places("a = inet_addr(x); connect(a); getaddrinfo(x, 0, 0, &y);", .c) == ["V6C-001 1:5?"])
        #expect(places("gethostbyname(x); struct sockaddr_in6 a;", .c) == ["V6C-002 1:1?"])
        #expect(places("s = socket(AF_INET, SOCK_STREAM, 0); connect(s, &a, n); AF_INET6;", .c) == ["V6C-060 1:5?"])
        #expect(places("struct sockaddr_in a; struct sockaddr_in6 b;", .c) == [])
        #expect(places("s(socket.AF_INET); t(socket.AF_INET6)", .python) == [])
    }

    @Test func `a socket for IPv4 that connects is told, once a file`() {
        let text = "s = socket(AF_INET, SOCK_STREAM, 0); connect(s, &a, n);"
        #expect(places(text + "\n" + text, .c) == ["V6C-060 1:5"])
        #expect(
            places("s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)\ns.connect(a)", .python) == ["V6C-060 1:12"])
    }

    @Test(arguments: [
        "struct sockaddr_in a;\nstruct sockaddr_in b;", "struct sockaddr_in a; s = socket(AF_INET, SOCK_STREAM, 0);",
        "struct sockaddr_in a; s = socket(AF_INET, SOCK_DGRAM, 0); connect(s); ioctl(s, SIOCGIFADDR, &r);",
        "struct sockaddr_in a; s = socket(AF_INET, SOCK_RAW, 1); connect(s);",
        "struct sockaddr_in a; s = socket(AF_INET, SOCK_STREAM, 0); connect(s, INADDR_LOOPBACK);",
    ])
    func `what holds an IPv4 address and sends nothing elsewhere is told on demand, once a file`(text: String) {
        let told = places(text, .c)
        #expect(told.count == 1)
        #expect(told.allSatisfy { $0.hasPrefix("V6C-060") && $0.hasSuffix("?") })
    }

    @Test func `where the protocol is one of IPv4, its functions are told on demand`() {
        #expect(places("p = getservbyname(\"bootps\", 0); gethostbyname(x); sendto();", .c) == ["V6C-002 1:33?"])
        #expect(places("dhcp_start(); s = socket(AF_INET, SOCK_DGRAM, 0); sendto(s);", .c) == ["V6C-060 1:19?"])
    }

    @Test func `old functions that make no destination are told on demand`() {
        #expect(places("int f(void) { a = inet_addr(x); }", .c) == ["V6C-001 1:19?"])
        #expect(places("int f(void) { a = inet_addr(x); connect(s, &a, n); }", .c) == ["V6C-001 1:19"])
        #expect(places("int f(void) { puts(inet_ntoa(x)); }", .c) == ["V6C-060 1:20?"])
        #expect(places("int f(void) { h = gethostbyname(name); }", .c) == ["V6C-002 1:19?"])
        #expect(places("connect(); gethostname(me, 9); h = gethostbyname(me);", .c) == ["V6C-002 1:36?"])
        #expect(places("s.connect(a); a = socket.gethostbyname(socket.gethostname())", .python) == ["V6C-002 1:26?"])
        #expect(places("s.connect(a); n = socket.gethostname(); socket.gethostbyname(n)", .python) == ["V6C-002 1:48?"])
        #expect(places("struct ifconf c; sendto(); h = gethostbyname(name);", .c) == ["V6C-002 1:32?"])
        #expect(places("socket.inet_aton(x)", .python) == ["V6C-001 1:8?"])
    }

    @Test func `Java's casts, octets and options are found`() {
        #expect(places("x = (Inet4Address) address;", .java) == ["V6C-003 1:6"])
        #expect(places("x = address as Inet4Address", .kotlin) == ["V6C-003 1:16"])
        #expect(places("x = (Inet4Address) a; y = (Inet6Address) b;", .java) == [])
        #expect(places("if (a instanceof Inet4Address) {}", .java) == [])
        #expect(places("InetAddress.getByAddress(new byte[] {10, 1, 2, 3})", .java) == ["V6C-001 1:13"])
        #expect(places("InetAddress.getByAddress(new byte[] {127, 0, 0, 1})", .java) == [])
        #expect(places("InetAddress.getByAddress(new byte[4])", .java) == ["V6C-060 1:13"])
        #expect(places("InetAddress.getByAddress(new byte[16])", .java) == [])
        #expect(places("InetAddress.getByAddress(octets); f(10, 1, 2, 3);", .java) == [])
        #expect(places("InetAddress.getByAddress(byteArrayOf(10, 1, 2, 3))", .kotlin) == ["V6C-001 1:13"])
        #expect(places("System.setProperty(\"java.net.preferIPv4Stack\", \"true\");", .java) == ["V6C-060 1:20"])
        #expect(places("System.setProperty(\"java.net.preferIPv4Stack\", \"false\");", .java) == [])
        #expect(places("JAVA_OPTS: -Djava.net.preferIPv4Stack=true\n", .yaml) == ["V6C-060 1:23"])
    }

    @Test func `the size of sockaddr is found where a length is passed`() {
        #expect(places("connect(s, r->ai_addr, sizeof(struct sockaddr));", .c) == ["V6C-015 1:24"])
        #expect(places("ai_addr; connect(s, a, sizeof(struct sockaddr));", .c) == ["V6C-015 1:24?"])
        #expect(places("connect(s, a, sizeof(struct sockaddr));", .c) == ["V6C-015 1:15?"])
        #expect(places("memset(&a, 0, sizeof(struct sockaddr));", .c) == [])
        #expect(places("connect(s, a, sizeof(struct sockaddr_storage));", .c) == [])
        #expect(places("union u sockaddr; connect(s, a, sizeof(sockaddr));", .c) == [])
        #expect(places("getsockname(s, a, sizeof(struct sockaddr));", .c) == ["V6C-015 1:19?"])
        #expect(
            places("connect(s, ai_addr, socklen_t(MemoryLayout<sockaddr>.size))", .swift) == ["V6C-015 1:31"])
    }

    @Test func `networks of IPv4 are found in Go and Node`() {
        #expect(places("c, err := net.Dial(\"tcp4\", address)", .go) == ["V6C-060 1:20"])
        #expect(places("c, err := net.Dial(\n\t\"tcp4\",\n\taddress,\n)", .go) == ["V6C-060 2:2"])
        #expect(places("var (\n\tnetwork = \"tcp4\"\n\tdial = net.Dial\n)", .go) == [])
        #expect(places("case \"tcp4\": return", .go) == [])
        #expect(places("net.Listen(\"tcp4\", \"127.0.0.1:0\")", .go) == ["V6C-060 1:12?"])
        #expect(
            places("const g = \"239.255.255.250\"\nnet.ResolveUDPAddr(\"udp4\", g)", .go) == ["V6C-060 2:20?"])
        #expect(places("x = { address, family: 4 }", .javaScript) == ["V6C-002 1:16?"])
        #expect(places("net.connect({ host, family: 4 })", .javaScript) == ["V6C-002 1:21"])
        #expect(places("dgram.createSocket('udp4')", .javaScript) == ["V6C-060 1:20"])
    }

    @Test func `patterns of dotted quads are found, and not where IPv6 is known`() {
        #expect(places("re.match(r'(\\d{1,3}\\.){3}\\d{1,3}', x)", .python) == ["V6C-061 1:10?"])
        #expect(places("const p = /^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$/;", .javaScript) == ["V6C-061 1:11?"])
        #expect(places("sscanf(x, \"%d.%d.%d.%d\", &a);", .c) == ["V6C-061 1:11?"])
        #expect(places("printf(\"%d.%d.%d.%d\", a);", .c) == [])
        #expect(places("is_ipv6(x); re.match(r'(\\d{1,3}\\.){3}\\d{1,3}', x)", .python) == [])
        #expect(places("a = b / c; // 25[0-5]\\.x\\.y\\.z / d", .javaScript) == [])
    }

    @Test func `listeners on IPv4 only are found`() {
        #expect(places("s.bind((\"0.0.0.0\", 80))", .python) == ["V6C-062 1:10"])
        // With these libraries, such a listener is on both families; tried on Linux (docs/rules-servers.md).
        #expect(places("http.ListenAndServe(\"0.0.0.0:80\", nil)", .go) == [])
        #expect(places("new ServerSocket(80, 5, InetAddress.getByName(\"0.0.0.0\"));", .java) == [])
        #expect(places("print(\"0.0.0.0\")", .python) == [])
        // Brackets hold a statement together across lines, in these languages as well.
        #expect(places("s.bind(\n    (\"0.0.0.0\",\n     80))", .python) == ["V6C-062 2:7"])
        #expect(places("uvicorn.run(\n    app,\n    host=\"0.0.0.0\",\n)", .python) == ["V6C-062 3:11"])
        #expect(places("try await bootstrap.bind(\n  host: \"0.0.0.0\", port: 80\n).get()", .swift) == ["V6C-062 2:10"])
        #expect(places("embeddedServer(\n    Netty,\n    host = \"0.0.0.0\"\n)", .kotlin) == ["V6C-062 3:13"])
        #expect(places("s.listen()\nlog(\n    \"0.0.0.0\")", .python) == [])
        #expect(places("log(\n    \"0.0.0.0\")\ns.listen()", .python) == [])
        #expect(places("names = [\n  f(s.listen),\n]\nlog(\"0.0.0.0\")", .python) == [])
        #expect(places("ports:\n  - \"0.0.0.0:80:80\"\n", .yaml) == ["V6C-062 2:6"])
        #expect(places("host: 0.0.0.0\n", .yaml) == ["V6C-062 1:7"])
        #expect(places("- 0.0.0.0\ndescription: 0.0.0.0\nroute: \"0.0.0.0\"\n", .yaml) == [])
        #expect(places("cidr: 0.0.0.0/0 # host: 0.0.0.0\n", .yaml) == [])
    }
}

struct BinaryScanTests {
    @Test func `an address alone, with a port or in a URL is one, a version is none, and it is told on demand`() {
        let texts = ["10.1.2.3", "10.1.2.3:80", "http://10.1.2.3/x", "1.2.3.4", "2.5.29.17", "10.1.2.3 is it"]
        let found = SourceScan.findings(inTexts: texts.map { Array($0.utf8) })
        #expect(found.count == 3)
        #expect(found.allSatisfy { $0.rule == .literalAddress && $0.certainty == .possible && $0.line == 0 })
    }
}

struct SuppressionTests {
    @Test func `a comment with a reason accepts, on its line and the next`() throws {
        let text =
            "connect(\"10.1.2.3\"); // ipv6check:ignore V6C-001 -- a lab\n/* ipv6check:ignore v6c-060,V6C-001 -- b */\nconnect(\"10.1.2.4\");\nconnect(\"10.1.2.5\");"
        let scanned = try #require(SourceScan.findings(in: Array(text.utf8), .c))
        #expect(scanned.findings.map(\.line) == [4])
        #expect(scanned.accepted.map(\.reason) == ["a lab", "b"])
    }

    @Test func `without a reason, or for another rule, nothing is accepted`() throws {
        let text =
            "connect(\"10.1.2.3\"); // ipv6check:ignore V6C-001\nconnect(\"10.1.2.4\"); // ipv6check:ignore V6C-060 -- other"
        let scanned = try #require(SourceScan.findings(in: Array(text.utf8), .c))
        #expect(scanned.findings.count == 2)
        #expect(scanned.linesWithoutReason == [1])
    }

    @Test(arguments: [
        ("src/*.c", "src/a.c", true), ("src/*.c", "src/b/a.c", false), ("src/**", "src/b/a.c", true),
        ("**/a.c", "a/a.c", true),
        ("a.?", "a.c", true), ("a.?", "a.cc", false),
    ])
    func `a glob's star stays within a folder, two do not`(glob: String, path: String, matches: Bool) throws {
        let file = try SuppressionFile("\(glob) V6C-001 -- reason")
        #expect((file.reason(for: .literalAddress, in: path) != nil) == matches)
    }

    @Test(arguments: ["a.c V6C-001", "a.c -- reason", "V6C-001 -- reason", "a.c V6C-999 -- reason", "a.c V6C-001 --"])
    func `a line that is not whole is refused with its number`(line: String) {
        #expect(throws: SuppressionFile.Mistake.self) { try SuppressionFile("# comment\n\(line)\n") }
    }
}

struct HostileSourceTests {
    @Test(arguments: SourceLanguage.allCases)
    func `whatever does not end, ends with the file`(language: SourceLanguage) {
        for start in [
            "\"", "'", "`", "/*", "//", "\"\"\"", "R\"(", "R\"", "#\"", "\\", "\"\\(", "/", "/[", "rb'", "$", "0x",
            "\"\\",
        ] {
            for tail in ["", "\n", "10.1.2.3", "\u{0}", "ä"] {
                let octets = Array((start + tail).utf8)
                for end in 0...octets.count { _ = SourceScan.findings(in: Array(octets[..<end]), language) }
            }
        }
    }

    @Test func `octets that are no UTF-8 are passed, and the finding behind them is at its place`() {
        let octets = [UInt8]("/* ".utf8) + [0xff, 0xc3, 0x28, 0x80] + [UInt8](" */ connect(\"10.1.2.3\");".utf8)
        // 0x80 begins no code point, and is not counted.
        #expect(SourceScan.findings(in: octets, .c)?.findings.map(\.column) == [20])
    }

    @Test func `a line of a quarter of a megabyte takes no more than its length`() throws {
        let call = "connect(\"10.1.2.3\");"
        let octets = Array(String(repeating: call, count: (256 << 10) / call.utf8.count).utf8)
        let scanned = try #require(SourceScan.findings(in: octets, .c))
        #expect(scanned.findings.count == SourceScan.findingLimit)
        #expect(scanned.findings.last?.column == call.utf8.count * (SourceScan.findingLimit - 1) + 10)
    }

    @Test func `no more findings are told than anybody reads`() throws {
        let octets = Array(String(repeating: "connect(\"10.1.2.3\");", count: 1100).utf8)
        let scanned = try #require(SourceScan.findings(in: octets, .c))
        #expect(scanned.findings.count == SourceScan.findingLimit)
        #expect(scanned.omitted == 100)
    }

    /// Beginnings of constructs that do not end, and texts that a check looks for, to repeat; № is replaced by a growing number.
    private static let repeated = [
        "#", "#\"", "\"#", "\"", "\"\"\"", "'", "'''", "`", "/", "/[", "/*", "*/", "//", "R\"", "R\"(", ")\"", "rb'",
        "\\",
        "\"\\(", "(", ")", "{", "[", "a", "a ", "a.", "0.", "1.1.1.1 ", "inet_addr(x);", "AF_INET ", "\"%d.%d.%d.%d\" ",
        "\"25[0-5]\" ", "\"10.1.2.3\" ", "connect(\"10.1.2.3\")", "def test ", "0.0.0.0:", "x: 0.0.0.0\n",
        "InetAddress.getByName(", "# ipv6check:ignore ", "r####\"", "<<EOF", "${",
        "gethostname(a№);gethostbyname(a№);",
    ]

    /// This thread's time, in seconds.
    private func time(of text: String, count: Int, _ language: SourceLanguage) -> Double {
        time(of: (0..<count).map { text.replacing("№", with: "\($0)") }.joined(), language)
    }

    private func time(of text: String, _ language: SourceLanguage) -> Double {
        let octets = Array(text.utf8)
        let start = threadTime()
        let scanned = SourceScan.findings(in: octets, language)
        // Both are made when they are asked for.
        _ = (scanned?.findings, scanned?.accepted)
        return Double(threadTime() - start) / 1e9
    }

    @Test(arguments: SourceLanguage.allCases)
    func `four times the source takes some four times as long, whatever it is made of`(language: SourceLanguage) {
        for text in Self.repeated {
            // A check looks at 128 words around a word at most, which should be a small part.
            let count = (text.contains("№") ? 12_288 : 1536) / text.utf8.count
            let isLinear = (0..<3).contains { _ in
                let once = time(of: text, count: count, language)
                // Less than a millisecond is no danger, and cannot be measured.
                return time(of: text, count: 4 * count, language) < 9 * max(once, 0.001)
            }
            #expect(isLinear, "\(text)")
        }
    }

    @Test func `a comment's list of rules is read once, however many findings it stands beside`() {
        let findings = String(repeating: "connect(\"10.1.2.3\");", count: SourceScan.findingLimit)
        let list = "// ipv6check:ignore " + String(repeating: "V6C-999,", count: 4096) + " -- a reason\n"
        #expect(time(of: list + findings, .c) < 4 * (time(of: list, .c) + time(of: findings, .c)))
    }

    @Test func `a name of a mebibyte beside literals is read at their number of times, and not further than names go`()
    {
        let literals = String(repeating: "connect(\"10.1.2.3\") ", count: 40)
        let name = String(repeating: "aB", count: 1 << 17)
        #expect(time(of: name + literals, .c) < 8 * (time(of: name, .c) + time(of: literals, .c)))
    }

    @Test func `slashes that begin no pattern are looked at eight times the source at most`() {
        let octets = Array(String(repeating: "/[", count: 1 << 14).utf8)
        let start = threadTime()
        _ = SourceScan.findings(in: Array(repeating: UInt8(ascii: "+"), count: octets.count), .javaScript)
        let others = threadTime()
        _ = SourceScan.findings(in: octets, .javaScript)
        // Without the bound each would be followed for 4096 octets.
        #expect(threadTime() - others < 16 * (others - start))
    }

    @Test func `a scan whose time is over has no findings`() {
        let octets = Array(String(repeating: "connect(\"10.1.2.3\");", count: 1100).utf8)
        #expect(SourceScan.findings(in: octets, .c, isLate: { true }) == nil)
        var asked = 0
        let scanned = SourceScan.findings(in: octets, .c) {
            asked += 1
            return asked > 6
        }
        #expect(scanned == nil)
        #expect(asked == 7)
    }
}

/// The processor time of this thread, in nanoseconds.
private func threadTime() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

struct JoinedPortScanTests {
    @Test(arguments: [
        ("net.Dial(\"tcp\", fmt.Sprintf(\"%s:%d\", host, port))", SourceLanguage.go),
        ("net.DialTimeout(\"tcp\", host+\":\"+port, t)", .go), ("d.DialContext(ctx, \"tcp\", host + \":8080\")", .go),
        ("addr := fmt.Sprintf(\"%s:%v\", host, port)\nconn, err := net.Dial(\"tcp\", addr)", .go),
        ("net.Listen(\"tcp\", fmt.Sprintf(\"%s:%d\", host, port))", .go),
        ("http.Get(\"http://\" + addr + \":\" + port)", .go),
        ("requests.get(f\"http://{ip}:{port}/x\")", .python), ("urlopen('http://%s:%d/' % (address, port))", .python),
        ("urlopen('http://{}:{}'.format(ip, port))", .python), ("grpc.insecure_channel(f'{host}:{port}')", .python),
        ("fetch(`http://${ip}:${port}/`)", .javaScript),
        ("new WebSocket('ws://' + peerAddress + ':8080/')", .javaScript),
        ("ManagedChannelBuilder.forTarget(host + \":\" + port)", .java),
        ("URI.create(String.format(\"http://%s:%d/\", address, port))", .java),
        ("URL(\"http://$ip:$port/\")", .kotlin), ("URL(string: \"http://\\(address):\\(port)/\")", .swift),
    ])
    func `host and port that are joined and dialled are told`(text: String, language: SourceLanguage) {
        let found = places(text, language)
        #expect(found.count == 1 && found[0].hasPrefix("V6C-008") && !found[0].hasSuffix("?"), "\(found)")
    }

    @Test(arguments: [
        ("net.Dial(\"tcp\", net.JoinHostPort(host, port))", SourceLanguage.go),
        ("log.Printf(\"%s:%d\", host, port)", .go),
        ("key := fmt.Sprintf(\"%s:%d\", image, tag)\npull(key)", .go), ("net.Dial(\"tcp\", \":\"+port)", .go),
        ("net.Dial(\"tcp\", fmt.Sprintf(\"[%s]:%d\", host, port))", .go), ("fmt.Sprintf(\"%s:%d\", file, line)", .go),
        ("requests.get(f\"http://{host}:{port}/\")", .python), ("print(f'{ip}:{port}')", .python),
        ("cache.get(f'{ip}:{port}')", .python), ("fetch(`http://[${ip}]:${port}/`)", .javaScript),
        ("map.get(user + ':' + ip)", .javaScript), ("x ? ip + ':' + port : y", .javaScript), ("\"%s:%s\"", .java),
        ("URL(string: \"http://\\(host):80\")", .swift), ("connect(f(\"%s:%d\", a, b))", .c), ("\"${\"", .kotlin),
        ("\"$:\"", .kotlin), ("\"\\(:\"", .swift), ("`${`", .javaScript), ("'{'", .python), ("a = \":\"", .go),
    ])
    func `what is joined for something else is not`(text: String, language: SourceLanguage) {
        #expect(!places(text, language).contains { $0.hasPrefix("V6C-008") })
    }

    @Test func `a choice by the colon is told on demand only`() {
        let text = """
            if strings.Contains(host, ":") { addr = fmt.Sprintf("[%s]:%d", host, port) }
            conn, err := net.Dial("tcp", fmt.Sprintf("%s:%d", host, port))
            """
        #expect(places(text, .go) == ["V6C-008 2:42?"])
    }
}
