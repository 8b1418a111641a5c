import Suites

/// What a test expects of its client:
///
///     expect:
///       exit: 0
///       stdout: { contains: '"items"' }
///       stderr: { equals: "" }
///       listens: [ipv6]                # of a server under test
///       log: { contains: started }
///       stdout: [ { contains: a }, { matches: '[0-9]+ items' } ]
extension SuiteFileReader {
    static let expectationKeys = ["exit", "stdout", "stderr", "listens", "log"]
    static let textKeys = ["contains", "equals", "matches"]

    mutating func readExpectations(_ node: YAMLNode, ofServer isServer: Bool) -> Expectations {
        var expectations = Expectations()
        guard let entries = map(node, whatItIs: "expect", example: "{ exit: 0, stdout: { contains: items } }")
        else { return expectations }
        let fields = fields(entries, of: "expect", named: Self.expectationKeys)
        if let exit = fields["exit"] { expectations.exit = Int32(number(exit, "exit", in: 0...255) ?? 0) }
        expectations.output = fields["stdout"].map { readTexts($0, "stdout") } ?? []
        expectations.errors = fields["stderr"].map { readTexts($0, "stderr") } ?? []
        for (name, word) in [("listens", "a server listens"), ("log", "a server has a log")] {
            guard let node = fields[name], !isServer else { continue }
            report("\(word), a client has not: take \(name) out", at: node.position)
        }
        for (name, word) in [("exit", "ends"), ("stdout", "has a standard output of its own; write log")] {
            guard let node = fields[name], isServer else { continue }
            report("no server under test \(word): take \(name) out", at: node.position)
        }
        if let node = fields["listens"] {
            let families = ListenFamily.allCases.map { (word: $0.rawValue, $0) }
            expectations.listens = items(node).compactMap { choice($0, "listens", families) }
        }
        expectations.log = fields["log"].map { readTexts($0, "log") } ?? []
        return expectations
    }

    mutating func readTexts(_ node: YAMLNode, _ name: String) -> [TextExpectation] {
        items(node).flatMap { item -> [TextExpectation] in
            guard let entries = map(item, whatItIs: name, example: "{ contains: items }") else { return [] }
            let fields = fields(entries, of: name, named: Self.textKeys)
            var texts: [TextExpectation] = []
            if let text = fields["contains"].flatMap({ scalar($0, "contains") }) { texts.append(.contains(text)) }
            if let text = fields["equals"].flatMap({ scalar($0, "equals") }) { texts.append(.equals(text)) }
            if let node = fields["matches"], let pattern = scalar(node, "matches") {
                if (try? Regex(pattern)) == nil {
                    report(
                        "matches must be a regular expression, such as '[0-9]+ items', not \(node.kindDescription)",
                        at: node.position)
                } else {
                    texts.append(.matches(pattern))
                }
            }
            return texts
        }
    }

    private mutating func scalar(_ node: YAMLNode, _ name: String) -> String? {
        if case .scalar(let text) = node.content { return text }
        report("\(name) must be text, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
