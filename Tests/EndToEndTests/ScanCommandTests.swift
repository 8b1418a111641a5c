// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `ipv6check scan` on the command line.
@Suite(.serialized) struct ScanCommandTests {
    /// Runs `body` with a temporary folder that has these files.
    private func withFiles(_ files: [String: String], _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "scan-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(folder)
    }

    private func scan(in folder: URL, _ arguments: String..., then: String = "") throws -> Output {
        let words = ([Binaries.ipv6check, "scan"] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try run(["bash", "-c", "cd '\(folder.path)' && \(words)\(then)"])
    }

    private static let client = "import socket\ns = socket.socket()\ns.connect((\"10.1.2.3\", 80))\n"
    private static let line = "client.py:3:13: notice: V6C-001 10.1.2.3 is an IPv4 address"

    @Test func `sources that it cannot read are counted`() throws {
        try withFiles(["a.rs": "// 10.1.2.3", "b/c.rb": "# 10.1.2.3", "d.txt": "10.1.2.3"]) { folder in
            let told = try scan(in: folder)
            #expect(told.status == 0 && told.standardError.contains("2 sources of other languages"), told.told)
        }
    }

    @Test func `findings are lines, and no failure unless they are to be one`() throws {
        try withFiles(["client.py": Self.client]) { folder in
            let told = try scan(in: folder)
            #expect(told.status == 0)
            #expect(told.text.hasPrefix(Self.line), Comment(rawValue: told.text))
            #expect(told.standardError.contains("1 finding in 1 file"))
            #expect(try scan(in: folder, "--fail-on", "note").status == 1)
            #expect(try scan(in: folder, "--fail-on", "v6c-001,V6C-060").status == 1)
            #expect(try scan(in: folder, "--fail-on", "V6C-060").status == 0)
        }
    }

    @Test(arguments: [
        ["--fail-on", "V6C-999"], ["--fail-on", ""], ["nowhere"], ["--sarif", "/nonexistent/x.sarif"],
        ["--met", "nowhere.json"], ["--met", "client.py"],
    ])
    func `a usage error is one line and 2`(arguments: [String]) throws {
        try withFiles(["client.py": Self.client]) { folder in
            let output = try run([
                "bash", "-c",
                "cd '\(folder.path)' && '\(Binaries.ipv6check)' scan \(arguments.map { "'\($0)'" }.joined(separator: " "))",
            ])
            #expect(output.status == 2)
            #expect(output.standardError.split(separator: "\n").count == 1, Comment(rawValue: output.standardError))
        }
    }

    @Test func `a suppression file accepts with a reason, and its mistakes are named`() throws {
        try withFiles(["client.py": Self.client, ".ipv6check-ignore": "client.py V6C-001 -- the lab\n"]) { folder in
            let accepted = try scan(in: folder, "--fail-on", "note")
            #expect(accepted.status == 0)
            #expect(accepted.text.isEmpty)
            #expect(accepted.standardError.contains("1 accepted"))
            try Data("client.py V6C-001\n".utf8).write(to: folder.appending(path: ".ipv6check-ignore"))
            let mistake = try scan(in: folder)
            #expect(mistake.status == 2)
            #expect(mistake.standardError.contains(".ipv6check-ignore:1: "))
        }
    }

    @Test func `SARIF is what its schema says, of sources and of binaries`() throws {
        try withFiles([
            "a b/client.py": Self.client, "x.c": "int f() { /* ipv6check:ignore V6C-002 -- old */ gethostbyname(x); }",
        ]) { folder in
            try Data(contentsOf: URL(filePath: "/usr/bin/env")).write(to: folder.appending(path: "env"))
            #expect(try scan(in: folder, "--all", "--sarif", "scan.sarif", ".", "env").status == 0)
            let schemas = Binaries.root.appending(path: "fixtures/reports/schemas").path
            let read = try run(["/usr/bin/python3", "\(schemas)/check.py", folder.appending(path: "scan.sarif").path])
            #expect(read.status == 0, Comment(rawValue: read.standardError))
            let text = try String(contentsOf: folder.appending(path: "scan.sarif"), encoding: .utf8)
            #expect(text.contains("\"uri\" : \"a%20b/client.py\""))
            #expect(text.contains("\"justification\" : \"old\""))
        }
    }

    @Test func `what git ignores is not scanned, unless all is wanted`() throws {
        try withFiles([
            "client.py": Self.client, "made/client.py": Self.client, "src/a/made.py": Self.client,
            "src/a/kept.py": Self.client, ".git/client.py": Self.client, ".gitignore": "/made/\n*.py\n!client.py\n",
            "src/.gitignore": "!/a/kept.py\n",
        ]) { folder in
            let told = try scan(in: folder).text.split(separator: "\n").map { $0.prefix { $0 != ":" } }
            #expect(told == ["client.py", "src/a/kept.py"])
            // The .gitignore files of the parent folders apply as well.
            let below = try scan(in: folder.appending(path: "src/a"))
            #expect(below.text.split(separator: "\n").map { $0.prefix { $0 != ":" } } == ["kept.py"])
            let all = try scan(in: folder, "--all").text.split(separator: "\n").map {
                $0.prefix { $0 != ":" }
            }
            #expect(Set(all) == ["client.py", "made/client.py", "src/a/made.py", "src/a/kept.py"])
        }
    }

    @Test func `a binary that imports gethostbyname and nothing newer is found`() throws {
        let source = """
            #include <netdb.h>
            #include <sys/socket.h>
            int main(void) { struct sockaddr a = {0}; return !gethostbyname("shop.test") + connect(3, &a, sizeof a); }
            """
        try withFiles(["old.c": source]) { folder in
            let built = try run([
                "cc", "-w", "-o", folder.appending(path: "old").path, folder.appending(path: "old.c").path,
            ])
            #expect(built.status == 0, Comment(rawValue: built.standardError))
            let told = try scan(in: folder, "old")
            #expect(
                told.text
                    == "old: notice: V6C-002 it imports gethostbyname, which knows IPv4 only; use getaddrinfo\n")
            #expect(try scan(in: folder, "--json", "-", "old").text.contains("\"line\"") == false)
            #expect(try scan(in: folder, "/usr/bin/env").text.isEmpty)
        }
    }

    @Test func `what a run met is marked`() throws {
        let report =
            #"{"schema":2,"findings":[{"rule":"V6C-001","observations":[{"text":"x","file":"client.py","line":3}]}]}"#
        try withFiles(["client.py": Self.client, "other.py": Self.client, "run.json": report]) { folder in
            let told = try scan(in: folder, "--met", "run.json", "--sarif", "scan.sarif")
            let lines = told.text.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasSuffix("(the run met it)") == true)
            #expect(lines.last?.hasSuffix("(the run met it)") == false)
            #expect(told.standardError.contains("2 findings in 2 files, 1 met by the run"))
            let sarif = try String(contentsOf: folder.appending(path: "scan.sarif"), encoding: .utf8)
            #expect(sarif.components(separatedBy: "\"level\" : \"warning\"").count == 2)
        }
    }

    @Test func `of a binary the addresses are told on demand`() throws {
        try withFiles(["old.c": "int puts(const char *); int main(void) { return puts(\"http://10.1.2.3:80/\"); }"]) {
            folder in
            let built = try run([
                "cc", "-w", "-o", folder.appending(path: "old").path, folder.appending(path: "old.c").path,
            ])
            #expect(built.status == 0, Comment(rawValue: built.standardError))
            #expect(try scan(in: folder, "old").text.isEmpty)
            #expect(
                try scan(in: folder, "--all", "old").text
                    == "old: notice: V6C-001 its read-only data has the IPv4 address 10.1.2.3; give a host name\n")
        }
    }

    @Test func `a reader that goes away, a loop of links and a file that nobody may read end nothing but themselves`()
        throws
    {
        try withFiles(["src/client.py": String(repeating: Self.client, count: 400), "src/closed.py": Self.client]) {
            folder in
            let piped = try scan(in: folder, then: " | head -1; echo ${PIPESTATUS[0]}")
            let lines = piped.text.split(separator: "\n")
            #expect(lines.first?.hasPrefix("src/client.py:3:13") == true)
            #expect(lines.last == "0" || lines.last == "141")
            #expect(!piped.standardError.contains("rror"))
            let full = try scan(in: folder, then: " > /dev/full")
            #expect(full.status == 2 && full.standardError.contains("No space left on device"), full.told)
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "src/loop").path, withDestinationPath: "..")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0], ofItemAtPath: folder.appending(path: "src/closed.py").path)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let command = "cd '\(folder.path)' && '\(Binaries.ipv6check)' scan"
            let closed = try run(["bash", "-c", command], as: .ordinary)
            #expect(closed.status == 0)
            #expect(closed.standardError.contains("src/closed.py cannot be read: Permission denied"))
            #expect(closed.standardError.contains("400 findings in 1 file"))
            // A scan with a gap must not count as a proof.
            let gate = try run(["bash", "-c", command + " --fail-on V6C-062"], as: .ordinary)
            #expect(gate.status == 5 && gate.standardError.contains("1 file or folder was not scanned"), gate.told)
            try Data("src/closed.py V6C-062 -- nobody's\n".utf8).write(to: folder.appending(path: ".ipv6check-ignore"))
            #expect(try run(["bash", "-c", command + " --fail-on V6C-062"], as: .ordinary).status == 0)
            #expect(try run(["bash", "-c", command + " --fail-on note"], as: .ordinary).status == 1)
        }
    }
}
