// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The rows of docs/test-runners.md, each with its own project.
    @Suite struct TestRunnerTests {
        /// A row of the page's table.
        struct Runner: CustomTestStringConvertible, Sendable {
            var name: String
            var command: String
            var testDescription: String { name }

            /// The source line of the literal, which the report has to name.
            var place: String {
                switch name {
                case "Go": "shop_test.go:18"
                case "Rust": "src/lib.rs:11"
                case "Swift": "Tests/ShopTests/ShopTests.swift:5"
                case "Node": "shop.test.js:8"
                default: "ShopTest.java:8"
                }
            }
            /// The line of the call, if known.
            var call: String? {
                switch name {
                case "Go": "(shop_test.go:10)"
                case "Rust": "(src/lib.rs:5)"
                case "Java": "(ShopTest.java:5)"
                case "Node": "shop.test.js:4"
                default: nil
                }
            }
        }

        static let runners: [Runner] = {
            let page = Binaries.root.appending(path: "docs/test-runners.md")
            let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
            return text.matches(of: #/\| ([A-Z][a-z]+) \| `([^`]+)` \|/#).map {
                Runner(name: String($0.1), command: String($0.2))
            }
        }()

        @Test func `the page has five runners`() {
            #expect(Self.runners.map(\.name) == ["Go", "Rust", "Swift", "Node", "Java"])
        }

        @Test(arguments: runners) func `a runner's line finds what fails there alone`(_ runner: Runner) throws {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            let project = Binaries.root.appending(path: "fixtures/runners/\(runner.name.lowercased())")
            try FileManager.default.copyItem(at: project, to: folder)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let output = try run(
                ["sh", "-c", "cd '\(folder.path)' && \(runner.command) 2>&1"], seconds: 300,
                environment: [
                    "PATH": "\(Binaries.directory.path):\(path)", "GOFLAGS": "", "GO111MODULE": "on",
                    "JUNIT": "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar",
                ])
            #expect(output.status != 0, Comment(rawValue: output.text))
            for said in ["fails on nat64; the same command works on dual-stack", "V6C-001", runner.place] {
                #expect(output.text.contains(said), Comment(rawValue: output.text))
            }
            if let call = runner.call { #expect(output.text.contains(call), Comment(rawValue: output.text)) }
        }
    }
}
