// SPDX-License-Identifier: Apache-2.0
import SourceScan

/// Any octets are a source of each language: every finding has a location inside the source, and is found again.
func fuzzScan(_ input: [UInt8]) throws(BrokenInvariant) {
    let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
    for language in SourceLanguage.allCases {
        guard let scanned = SourceScan.findings(in: input, language) else {
            throw BrokenInvariant("\(language): no findings")
        }
        let found = scanned.findings + scanned.accepted.map(\.finding)
        try require(found.count <= SourceScan.findingLimit, "\(language): \(found.count) findings")
        for finding in found {
            try require((1...lines).contains(finding.line), "\(language): line \(finding.line) of \(lines)")
            try require((1...input.count).contains(finding.column), "\(language): column \(finding.column)")
        }
        let again = SourceScan.findings(in: input, language)?.findings
        try require(scanned.findings == again, "\(language): other findings the second time")
        for line in scanned.linesWithoutReason {
            try require((1...lines).contains(line), "\(language): a comment in line \(line) of \(lines)")
        }
    }
    _ = IgnoreFile(input).ignores(Array("src/network/client.c".utf8), isFolder: false)
    guard let file = try? SuppressionFile(String(decoding: input, as: UTF8.self)) else { return }
    _ = file.reason(for: .literalAddress, in: "src/network/client.c")
}
