import Suites

/// What a test expects of its client:
///
///     expect:
///       exit: 0
///       stdout: { contains: '"items"' }
///       stderr: { equals: "" }
///       stdout: [ { contains: a }, { matches: '[0-9]+ items' } ]
extension SuiteFileReader {
    static let expectationKeys = ["exit", "stdout", "stderr"]
    static let textKeys = ["contains", "equals", "matches"]

    mutating func readExpectations(_ node: YAMLNode) -> Expectations {
        var expectations = Expectations()
        guard let entries = map(node, whatItIs: "expect", example: "{ exit: 0, stdout: { contains: items } }")
        else { return expectations }
        let fields = fields(entries, of: "expect", named: Self.expectationKeys)
        if let exit = fields["exit"] { expectations.exit = Int32(number(exit, "exit", in: 0...255) ?? 0) }
        expectations.output = fields["stdout"].map { readTexts($0, "stdout") } ?? []
        expectations.errors = fields["stderr"].map { readTexts($0, "stderr") } ?? []
        return expectations
    }

    private mutating func readTexts(_ node: YAMLNode, _ name: String) -> [TextExpectation] {
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
