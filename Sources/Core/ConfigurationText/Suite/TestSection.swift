// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import Topology

/// A test, and the defaults of all tests:
///
///     - name: fetch
///       command: [./shop, fetch]        # a list is an argument vector, text is for /bin/sh -c
///       networks: [nat64, dual-stack]
///       env: { RUST_BACKTRACE: "1" }
///       cwd: backend                    # from the suite file's folder
///       tags: [smoke]
///       timeout: 60s                    # of each run
///       grace: 5s                       # between SIGTERM and SIGKILL
///       slow: 10s                       # when a case is reported as slow
///       disk: 4G                        # what may be in $TMPDIR and $OUT
///       getaddrinfo: apple              # or linux, the machine's own
///       url-loading: apple              # of Foundation's URLSession; linux by default
///       conditions: [lte, nat64:loss=3%] # or one, as text; docs/conditions.md
///       link: ra                        # docs/networks.md
///       client-prefix: 2001:db8:1:2::/64 # or apple
///       interface: en0
///       host-ports: [5432]              # or 5432:15432, for the machine's port 15432
///       proxy: keep                     # or world
///       caches: keep                    # or avoid
///       nat64: forgets=30s              # or a list; `NAT64Setting.swift`
///       fail-on: warning                # or error, note
///       retries: 0                      # how many times a failing case is retried
///       confirm: 1                      # how many times a failure is repeated before it is compared
///       leaks: fail                     # or pass
///       flaky: fail                     # or pass
///       offline: true                   # needs no network
///       trace: always                   # or on-failure, never
///       expect: …                       # `ExpectationSection.swift`
///       import: …                       # `ImportSection.swift`
///       known: …                        # `KnownSection.swift`
///       fails: …                        # `FailsSection.swift`
///       needs: [api]                    # `ServerSection.swift`
///       server: …                       # instead of a command: a server under test
///       probe: …                        # `ProbeSection.swift`
///       canaries: true                  # `CanarySection.swift`
///       skip: a reason
///       group: licence-server
///       cpus: 4
extension SuiteFileReader {
    /// Keys of `defaults`, which are also keys of a test.
    static let defaultKeys = [
        "env", "timeout", "grace", "slow", "disk", "getaddrinfo", "url-loading", "conditions", "nat64", "link",
        "client-prefix",
        "interface", "host-ports", "proxy", "caches", "fail-on",
        "retries", "confirm",
        "leaks", "flaky", "offline", "trace",
    ]
    static let testKeys =
        [
            "name", "command", "networks", "cwd", "tags", "expect", "import", "needs", "server", "probe", "known",
            "fails",
            "skip", "group", "cpus", "canaries",
        ] + defaultKeys

    mutating func readDefaults(_ node: YAMLNode, into test: inout SuiteTest) {
        guard let entries = map(node, whatItIs: "defaults", example: "{ timeout: 30s }") else { return }
        readCommon(fields(entries, of: "defaults", named: Self.defaultKeys), into: &test)
    }

    /// The test as written, and the tests that result from it; `nil` if it has no name, or is not a map.
    mutating func readTest(_ node: YAMLNode, from pattern: SuiteTest) -> (written: SuiteTest, all: [SuiteTest])? {
        guard let entries = map(node, whatItIs: "a test", example: Self.testExample) else { return nil }
        let fields = fields(entries, of: "a test", named: Self.testKeys)
        var test = pattern
        test.line = node.position.line
        guard let name = fields["name"] else {
            report("the name of the test is missing: write \(Self.testExample)", at: node.position)
            return nil
        }
        test.name = readName(name, of: "a test") ?? ""
        if let server = fields["server"] {
            if let command = fields["command"] {
                report("a test has a command or a server, and not both: take one out", at: command.position)
            }
            test.subject = readSubject(server, of: test.name)
            test.command = test.subject?.command ?? .words([])
        } else if let command = fields["command"] {
            test.command = readCommand(command) ?? .words([])
        } else {
            report("the command of the test is missing: write \(Self.testExample)", at: node.position)
        }
        if let networks = fields["networks"] { test.networks = readNetworks(networks) }
        test.folder = fields["cwd"].flatMap { text($0, "cwd", example: "backend") }
        test.tags = fields["tags"].map { readTags($0) } ?? []
        test.skip = fields["skip"].flatMap { text($0, "skip", example: "needs a licence") }
        if let cpus = fields["cpus"] { test.cpus = number(cpus, "cpus", in: 1...1024) ?? 1 }
        test.group = fields["group"].flatMap { readGroup($0) }
        readCommon(fields, into: &test)
        if let expect = fields["expect"] {
            test.expectations = readExpectations(expect, ofServer: fields["server"] != nil)
        }
        if let needs = fields["needs"] { test.servers = readNeeds(needs) }
        if let probe = fields["probe"] { test.probes = readProbes(probe, of: test) }
        checkServerTest(test, fields, at: node.position)
        checkHostPorts(test, fields, at: node.position)
        if let node = fields["import"] { test.report = readImport(node) }
        if let fails = fields["fails"] {
            test.fails = items(fails).compactMap { readFails($0, networks: test.networks) }
        }
        if let known = fields["known"] {
            test.known = items(known).compactMap { readKnown($0, networks: test.networks) }
        }
        return (test, fields["canaries"].map { readCanaries($0, of: test, fields) } ?? [test])
    }

    private mutating func readCommon(_ fields: [String: YAMLNode], into test: inout SuiteTest) {
        if let node = fields["env"] { test.environment.merge(readEnvironment(node)) { $1 } }
        if let node = fields["timeout"] { test.timeout = time(node, "timeout") ?? test.timeout }
        if let node = fields["grace"] { test.grace = duration(node, "grace") ?? test.grace }
        if let node = fields["slow"] { test.slow = time(node, "slow") ?? test.slow }
        if let node = fields["disk"] { test.disk = size(node, "disk") ?? test.disk }
        if let node = fields["getaddrinfo"] {
            let values = GetaddrinfoProfile.allCases.map { (word: $0.rawValue, $0) }
            test.request.getaddrinfo = choice(node, "getaddrinfo", values) ?? test.request.getaddrinfo
        }
        if let node = fields["url-loading"] {
            let values = URLLoading.allCases.map { (word: $0.rawValue, $0) }
            test.request.urlLoading = choice(node, "url-loading", values) ?? test.request.urlLoading
        }
        if let node = fields["conditions"] { test.request.conditions = readConditions(node) }
        if let node = fields["link"] { test.request.link = linkSetup(node) }
        if let node = fields["client-prefix"] {
            test.request.clientLink = clientLink(node, "client-prefix") ?? test.request.clientLink
        }
        if let node = fields["interface"] { test.request.interface = readInterface(node) }
        if let node = fields["host-ports"] { test.request.hostPorts = readHostPorts(node) }
        if let node = fields["proxy"] {
            let values = ProxyVariables.allCases.map { (word: $0.rawValue, $0) }
            test.request.proxies = choice(node, "proxy", values) ?? test.request.proxies
        }
        if let node = fields["caches"] {
            let values = TestCaches.allCases.map { (word: $0.rawValue, $0) }
            test.request.caches = choice(node, "caches", values) ?? test.request.caches
        }
        if let node = fields["nat64"] { test.request.nat64 = readNAT64(node) }
        if let node = fields["fail-on"] {
            let values = FailLevel.allCases.map { (word: $0.rawValue, $0) }
            test.failOn = choice(node, "fail-on", values) ?? .error
        }
        if let node = fields["retries"] { test.retries = number(node, "retries", in: 0...10) ?? 0 }
        if let node = fields["confirm"] { test.confirmations = number(node, "confirm", in: 0...10) ?? 1 }
        let colours = [("pass", false), ("fail", true)]
        if let node = fields["leaks"] { test.failsOnLeak = choice(node, "leaks", colours) ?? false }
        if let node = fields["flaky"] { test.failsIfFlaky = choice(node, "flaky", colours) ?? false }
        if let node = fields["offline"] { test.isOffline = flag(node, "offline") ?? false }
        if let node = fields["trace"] {
            let values = TracePolicy.allCases.map { (word: $0.rawValue, $0) }
            test.trace = choice(node, "trace", values) ?? .onFailure
        }
    }

    private mutating func readNAT64(_ node: YAMLNode) -> [String] {
        items(node).compactMap { item in
            guard let text = text(item, "nat64", example: "forgets=30s") else { return nil }
            do throws(OptionError) {
                _ = try NAT64Setting(text)
                return text
            } catch {
                report("nat64: \(error.reason)", at: item.position)
                return nil
            }
        }
    }

    private mutating func readInterface(_ node: YAMLNode) -> InterfaceName? {
        guard let text = text(node, "interface", example: "en0") else { return nil }
        do throws(InterfaceName.Mistake) {
            return try InterfaceName(text)
        } catch {
            report("interface: \(error)", at: node.position)
            return nil
        }
    }

    private mutating func readHostPorts(_ node: YAMLNode) -> [HostPort] {
        let ports = items(node).compactMap { item -> HostPort? in
            guard let text = text(item, "host-ports", example: "5432") else { return nil }
            do throws(HostPort.Mistake) {
                return try HostPort(text)
            } catch {
                report("host-ports: \(error)", at: item.position)
                return nil
            }
        }
        if let port = HostPort.clash(among: ports) {
            report("host-ports: port \(port) of the program is given twice; give it once", at: node.position)
        }
        return ports
    }

    /// Two programs cannot listen on one port of the client's machine.
    private mutating func checkHostPorts(
        _ test: SuiteTest, _ fields: [String: YAMLNode], at position: SourcePosition
    ) {
        let servers = (test.servers + (test.subject.map { [$0] } ?? [])).filter { $0.place == .client }
        let own = Set(servers.compactMap(\.port) + test.probes.map(\.action.port))
        for port in test.request.hostPorts.map(\.port) where own.contains(port) {
            report(
                "host-ports: a server of this test listens at port \(port) itself; give the program another, such as 15432:\(port)",
                at: fields["host-ports"]?.position ?? position)
        }
    }

    private mutating func readConditions(_ node: YAMLNode) -> [String] {
        let texts = items(node).compactMap { text($0, "conditions", example: "lte") }
        do throws(ConditionError) {
            _ = try ConditionPlan(texts)
            return texts
        } catch {
            report("\(error)", at: node.position)
            return []
        }
    }

    /// Octets, with or without a binary unit (K, M or G).
    private mutating func size(_ node: YAMLNode, _ name: String) -> Int? {
        if case .scalar(let text) = node.content {
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let units = ["": 0, "K": 10, "M": 20, "G": 30]
            if let number = Int(digits), let shift = units[String(text.dropFirst(digits.count))], number > 0,
                number <= (1 << 50) >> shift
            {
                return number << shift
            }
        }
        report("\(name) must be a size such as 500M or 4G, not \(node.kindDescription)", at: node.position)
        return nil
    }

    mutating func readCommand(_ node: YAMLNode) -> SuiteTest.Command? {
        let wordLimit = 10_000
        switch node.content {
        case .scalar:
            return text(node, "a command", example: "[./shop, fetch] or ./shop fetch").map { .shell($0) }
        case .list(let items) where !items.isEmpty && items.count <= wordLimit:
            var words: [String] = []
            for item in items {
                guard case .scalar(let word) = item.content, !word.utf8.contains(0), !(words.isEmpty && word.isEmpty)
                else {
                    report("a word of a command is text, not \(item.kindDescription)", at: item.position)
                    return nil
                }
                words.append(word)
            }
            return .words(words)
        default:
            report(
                "a command is a list of up to \(wordLimit) words, such as [./shop, fetch], or text for /bin/sh -c, not \(node.kindDescription)",
                at: node.position)
            return nil
        }
    }

    mutating func readEnvironment(_ node: YAMLNode) -> [String: String] {
        guard let entries = map(node, whatItIs: "env", example: "{ RUST_BACKTRACE: \"1\" }") else { return [:] }
        var environment: [String: String] = [:]
        for entry in entries {
            guard case .scalar(let name) = entry.key.content, !name.isEmpty, !name.contains("="),
                !name.utf8.contains(0)
            else {
                report(
                    "a variable's name is text without =, not \(entry.key.kindDescription)", at: entry.key.position)
                continue
            }
            guard case .scalar(let value) = entry.value.content, !value.utf8.contains(0) else {
                report(
                    "the value of \(name) must be text, not \(entry.value.kindDescription)", at: entry.value.position)
                continue
            }
            environment[name] = value
        }
        return environment
    }

    private mutating func readTags(_ node: YAMLNode) -> [String] {
        items(node).compactMap { readName($0, of: "a tag") }
    }

    private mutating func readGroup(_ node: YAMLNode) -> String? {
        if groups.isEmpty {
            report("there are no groups: write groups: { licence-server: 1 } for the suite", at: node.position)
            return nil
        }
        return choice(node, "a group", groups.keys.sorted().map { (word: $0, $0) })
    }
}
