// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import CheckRunner

@Suite struct SourceLineTests {
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try body(folder.path)
    }

    @Test func `a line is read by its number, without its indent`() throws {
        try withFolder(["a.py": "one\n\n\tthree \u{1b}[31m\r\nlast"]) { folder in
            #expect(sourceLine("a.py", 1, from: folder) == "one")
            #expect(sourceLine("\(folder)/a.py", 3) == "three \u{fffd}[31m")
            #expect(sourceLine("a.py", 4, from: folder) == "last")
            for number in [2, 5, 0, -1, Int.max, Int.min] { #expect(sourceLine("a.py", number, from: folder) == nil) }
        }
    }

    @Test func `a long line is cut`() throws {
        try withFolder(["a.c": String(repeating: "x", count: 5000)]) { folder in
            #expect(sourceLine("a.c", 1, from: folder) == String(repeating: "x", count: 199) + "…")
        }
    }

    @Test func `what is no source file is not read, and no link is followed`() throws {
        try withFolder(["secret.env": "TOKEN=1\n", "secret": "x\n"]) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/link.py", withDestinationPath: "\(folder)/secret.env")
            try FileManager.default.createDirectory(atPath: "\(folder)/folder.py", withIntermediateDirectories: false)
            let made = unsafe mkfifo("\(folder)/pipe.py", 0o600)
            #expect(made == 0)
            for name in ["secret.env", "secret", "link.py", "folder.py", "pipe.py", "none.py", "", "a\0.py"] {
                #expect(sourceLine(name, 1, from: folder) == nil, "\(name)")
            }
        }
    }
}
