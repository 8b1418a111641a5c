// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A scan with the report of a run: the finding that the run met is marked.
    @Suite struct MetFindingTests {
        @Test(arguments: [
            ("gethostbyname", ["echo.test", "7"], "V6C-002"), ("inet_addr", ["198.51.100.7", "7"], "V6C-001"),
        ])
        func `the call that a run failed by is marked, though the file knows IPv6 as well`(
            name: String, arguments: [String], rule: String
        ) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "met-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let clients = Binaries.root.appending(path: "fixtures/clients")
            for file in ["\(name).c", "client.h"] {
                try FileManager.default.copyItem(at: clients.appending(path: file), to: folder.appending(path: file))
            }
            func shell(_ command: String) throws -> Output {
                try run(["bash", "-c", "cd '\(folder.path)' && \(command)"])
            }
            let built = try shell("cc -w -g -std=gnu11 -DWORKS_EVERYWHERE=0 -o client \(name).c")
            #expect(built.status == 0, Comment(rawValue: built.standardError))
            let before = try shell("'\(Binaries.ipv6check)' scan \(name).c")
            #expect(before.text.isEmpty, "the file has a version for IPv6 as well")
            let failed = try shell(
                "'\(Binaries.ipv6check)' --json run.json -- ./client \(arguments.joined(separator: " "))")
            #expect(failed.status == 1, Comment(rawValue: failed.standardError))
            let told = try shell("'\(Binaries.ipv6check)' scan --met run.json \(name).c")
            let marked = told.text.split(separator: "\n").filter { $0.hasSuffix("(the run met it)") }
            #expect(
                marked.contains { $0.contains("notice: \(rule) \(name) knows IPv4 only") },
                Comment(rawValue: told.text + told.standardError))
        }
    }
}
