// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// In the log of a GitHub job a client's text must not hide failures or mask a word.
    @Suite struct WorkflowCommandTests {
        private static let hostile = "    ::stop-commands::never\n::add-mask::shop\nx ##[error]y\n"

        /// The lines that GitHub's runner would take for commands.
        private func commands(_ text: String) -> [Substring] {
            text.split(whereSeparator: \.isNewline).filter {
                $0.drop(while: \.isWhitespace).hasPrefix("::") || $0.contains("##[")
            }
        }

        @Test func `a suite's report quotes output, and only its own annotations are commands`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: red, command: ./client, expect: { stdout: { contains: "::error::nothing like it" } } }
                """, head: SuiteFolder.offline, files: ["client": "#!/bin/sh\nprintf '\(Self.hostile)' >&2\nexit 3\n"])
            let output = try folder.suite(environment: ["GITHUB_ACTIONS": "true"])
            #expect(output.standardError.contains("stop-commands"), output.told)
            let lines = commands(output.standardError)
            #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("::error file=") }, "\(lines)")
            let elsewhere = try folder.suite(environment: ["GITHUB_ACTIONS": "false"])
            #expect(
                commands(elsewhere.standardError).contains("::add-mask::shop")
                    || elsewhere.standardError.contains("##[error]"))
        }

        @Test func `a client's own output passes as it is, and a report that quotes it commands nothing`() throws {
            let script = "printf '\(Self.hostile)'; exec 'x ##[error]y'"
            let output = try run(
                [Binaries.ipv6check, "--once", "sh", "-c", script], environment: ["GITHUB_ACTIONS": "true"])
            #expect(String(decoding: output.standardOutput, as: UTF8.self) == Self.hostile)
            let report = output.standardError.split(separator: "\n").filter {
                $0.contains("ipv6check:") || $0.hasPrefix("  ")
            }
            #expect(!report.isEmpty && commands(report.joined(separator: "\n")).isEmpty, output.told)
        }
    }
}
