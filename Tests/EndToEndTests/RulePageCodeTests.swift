// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The code on the pages of docs/rules compiles or runs.
@Suite struct RulePageCodeTests {
    /// A language of the code blocks; `name` is the word after the fence.
    struct Language: CustomTestStringConvertible, Sendable {
        var name: String
        var suffix: String
        /// The program that must be installed.
        var tool: String
        /// The command for one file, or for all files if `takesAll`.
        var command: [String]
        var takesAll = false

        var testDescription: String { name }

        /// A placeholder for the scratch folder, which is created when a test needs it, not when tests are listed.
        private static let scratch = "{scratch}"

        var arguments: [String] { command.map { $0 == Self.scratch ? Binaries.scratch.path : $0 } }

        static let all = [
            Language(
                name: "c", suffix: "c", tool: "cc",
                command: ["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]),
            Language(name: "python", suffix: "py", tool: "python3", command: ["python3"]),
            Language(name: "javascript", suffix: "js", tool: "node", command: ["node"]),
            Language(
                name: "java", suffix: "java", tool: "javac",
                command: ["javac", "-Xlint:all", "-Werror", "-d", scratch],
                takesAll: true),
            Language(name: "go", suffix: "go", tool: "go", command: ["go", "vet"]),
            Language(
                name: "rust", suffix: "rs", tool: "rustc",
                command: [
                    "rustc", "--crate-type", "lib", "--emit", "metadata", "-D", "warnings", "--out-dir",
                    scratch,
                ]),
            Language(
                name: "swift", suffix: "swift", tool: "swiftc",
                command: ["swiftc", "-typecheck", "-warnings-as-errors"]),
            Language(name: "yaml", suffix: "yaml", tool: "sh", command: []),
        ]

        static let installed = all.filter { isInstalled($0.tool) }
        static let missing = all.filter { !isInstalled($0.tool) }
    }

    private struct Block {
        var page: String
        var language: String
        var code: String
    }

    private static func blocks() throws -> [Block] {
        let folder = Binaries.root.appending(path: "docs/rules")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        return try pages.sorted().flatMap { page in
            let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
            return text.matches(of: /(?ms)^```([a-z]+)\n(.*?)^```$/).map {
                Block(page: page, language: String($0.1), code: String($0.2))
            }
        }
    }

    /// The files made of the language's code blocks.
    private func files(of language: Language) throws -> [String] {
        try Self.blocks().filter { $0.language == language.name }.enumerated().map { number, block in
            let name = block.page.prefix { $0 != "." }.replacing("-", with: "") + "_\(number).\(language.suffix)"
            let file = Binaries.scratch.appending(path: name)
            try Data(block.code.utf8).write(to: file)
            return file.path
        }
    }

    private func expectSuccess(_ command: [String]) throws {
        let output = try run(command, as: .root)
        #expect(output.status == 0, Comment(rawValue: output.text + output.standardError))
    }

    @Test func `every block is in a language that is tried`() throws {
        let blocks = try Self.blocks()
        #expect(blocks.count > 50)
        #expect(Set(blocks.map(\.language)) == Set(Language.all.map(\.name)))
    }

    @Test(arguments: Language.installed) func `the code of the pages is good`(_ language: Language) throws {
        let files = try files(of: language)
        if language.takesAll { return try expectSuccess(language.arguments + files) }
        for file in files {
            guard language.name == "yaml" else {
                try expectSuccess(language.arguments + [file])
                continue
            }
            let isWorld = try String(contentsOfFile: file, encoding: .utf8).contains("hosts:")
            try expectSuccess([Binaries.nat64sim, "check-config"] + (isWorld ? ["--world"] : []) + [file])
        }
    }

    @Test(.enabled(if: Language.missing.isEmpty, "needs \(Language.missing.map(\.tool).joined(separator: ", "))"))
    func `the tools for all languages are there`() {}
}
