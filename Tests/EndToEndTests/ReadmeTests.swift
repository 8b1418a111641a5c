// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The example output in README.md is real.
    @Suite struct ReadmeTests {
        /// The words of the report in the text, without times, sizes and code offsets, which depend on machine and program.
        private func report(in text: String) -> String {
            let lines = withoutLinkNote(text).split(separator: "\n").drop { !$0.contains("ipv6check: ") }
            let words = lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return words.replacing(/[0-9]+\.[0-9]+ s/, with: "… s").replacing(/[0-9]+ B/, with: "… B")
                .replacing(/\+0x[0-9a-f]+/, with: "+0x…")
        }

        @Test func `the sample reports are true`() throws {
            let readme = try String(contentsOf: Binaries.root.appending(path: "README.md"), encoding: .utf8)
            let samples = readme.matches(of: /(?m)^    \$ ipv6check (.+)\n((?:    .+\n)+)/)
            #expect(samples.count == 2)
            for sample in samples {
                let arguments = sample.1.split(separator: " ").map(String.init)
                let output = try run([Binaries.ipv6check] + arguments)
                #expect(report(in: output.standardError) == report(in: String(sample.2)))
            }
        }
    }
}
