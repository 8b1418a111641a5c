// SPDX-License-Identifier: Apache-2.0
import Suites

/// The expectations of a test about its client:
///
///     expect:
///       exit: 0
///       stdout: { contains: '"items"' }
///       stderr: { equals: "" }
///       stdout: { json: { "items[0].name": shop } }
///       stdout: { file: expected.txt }
///       slower-than-dual-stack: 2x
///       ipv4-attempts: 0
///       flows: [shop.test tcp/443]
///       listens: [ipv6]                # of a server under test
///       log: { contains: started }
///       stdout: [ { contains: a }, { matches: '[0-9]+ items' } ]
extension SuiteFileReader {
    static let expectationKeys = [
        "exit", "stdout", "stderr", "slower-than-dual-stack", "ipv4-attempts", "flows", "listens", "log",
    ]
    static let textKeys = ["contains", "equals", "matches", "json", "file"]

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
        if let node = fields["slower-than-dual-stack"] { expectations.slowness = readMultiple(node) }
        if let node = fields["ipv4-attempts"] {
            expectations.ipv4Attempts = number(node, "ipv4-attempts", in: 0...1_000_000)
        }
        if let node = fields["flows"] { expectations.flows = items(node).compactMap { readFlow($0) } }
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
            if let node = fields["json"] { texts += readJSON(node) }
            if let path = fields["file"].flatMap({ self.text($0, "file", example: "expected.txt") }) {
                texts.append(.file(path, contents: ""))
            }
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

    /// `2x`: a number from 1, followed by `x`.
    private mutating func readMultiple(_ node: YAMLNode) -> Double? {
        if case .scalar(let text) = node.content, text.hasSuffix("x"),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let factor = Double(text.dropLast()), (1...1000).contains(factor)
        {
            return factor
        }
        report(
            "slower-than-dual-stack must be a multiple such as 2x or 1.5x, not \(node.kindDescription)",
            at: node.position)
        return nil
    }

    private mutating func readFlow(_ node: YAMLNode) -> FlowExpectation? {
        if case .scalar(let text) = node.content, let flow = FlowExpectation(text) { return flow }
        report(
            "flows has hosts, such as shop.test or shop.test tcp/443, not \(node.kindDescription)", at: node.position)
        return nil
    }

    private mutating func readJSON(_ node: YAMLNode) -> [TextExpectation] {
        guard let entries = map(node, whatItIs: "json", example: "{ items[0].name: shop }") else { return [] }
        return entries.compactMap { entry in
            guard let path = scalar(entry.key, "a path"), let value = scalar(entry.value, "the value at \(path)") else {
                return nil
            }
            if JSONPath(path) == nil {
                report("a path in JSON is like items[0].name, not \(entry.key.kindDescription)", at: entry.key.position)
                return nil
            }
            return .json(path: path, value: value)
        }
    }

    private mutating func scalar(_ node: YAMLNode, _ name: String) -> String? {
        if case .scalar(let text) = node.content { return text }
        report("\(name) must be text, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
