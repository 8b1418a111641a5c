// SPDX-License-Identifier: Apache-2.0
import Suites
import TestResults

/// The reports of a client that is a test runner:
///
///     import: { junit: junit.xml }    # a file in $OUT
///     import: tap                     # standard output
extension SuiteFileReader {
    static let importKeys = ResultsFormat.allCases.map(\.rawValue)
    private static let importExample = "{ junit: junit.xml }"

    mutating func readImport(_ node: YAMLNode) -> InnerReport? {
        if case .scalar(let word) = node.content, !word.isEmpty {
            let formats = ResultsFormat.allCases.map { (word: $0.rawValue, $0) }
            return choice(node, "import", formats).map { InnerReport($0, file: nil) }
        }
        guard let entries = map(node, whatItIs: "import", example: Self.importExample) else { return nil }
        let fields = fields(entries, of: "import", named: Self.importKeys)
        let given = ResultsFormat.allCases.filter { fields[$0.rawValue] != nil }
        guard given.count == 1, let format = given.first, let value = fields[format.rawValue] else {
            if entries.isEmpty || given.count > 1 {
                report(
                    "import must have one of junit, tap and go-test, such as \(Self.importExample)", at: node.position)
            }
            return nil
        }
        guard let file = text(value, format.rawValue, example: "results.xml, or - for standard output") else {
            return nil
        }
        if file == "-" { return InnerReport(format, file: nil) }
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("") || parts.contains("..") {
            report(
                "\(format.rawValue) must be a path in $OUT, such as results.xml (the client gets $OUT in its environment), not \(value.kindDescription)",
                at: value.position)
            return nil
        }
        return InnerReport(format, file: file)
    }
}
