// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LinuxNet

@Suite struct `A file that appears whole or not at all` {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "ipv6check-tests-atomic-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test func `has no name until it is committed`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try AtomicFile.open("\(folder)/report")
        #expect(try names().isEmpty)
        try file.commit(Array("whole".utf8))
        #expect(try names() == ["report"])
        #expect(try String(contentsOfFile: "\(folder)/report", encoding: .utf8) == "whole")
    }

    @Test func `takes the place of another, and leaves nothing beside it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/report"
        try Data("something longer".utf8).write(to: URL(filePath: path))
        let file = try AtomicFile.open(path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "something longer")
        try file.commit(Array("short".utf8))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
        #expect(try names() == ["report"])
    }

    @Test func `takes the place of the file that a symbolic link leads to, and leaves the link`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, link) = ("\(folder)/report", "\(folder)/latest")
        try Data("old".utf8).write(to: URL(filePath: path))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "report")
        try AtomicFile.open(link).commit(Array("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "report")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try names() == ["latest", "report"])
    }

    @Test func `leaves nothing where it is given up`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do { _ = try AtomicFile.open("\(folder)/report") }
        #expect(try names().isEmpty)
    }

    @Test func `writes to a device as it is`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try AtomicFile.open("/dev/null").commit([1, 2, 3])
        #expect(throws: SystemError("write", .init(28), what: "/dev/full")) {
            try AtomicFile.open("/dev/full").commit([1, 2, 3])
        }
    }

    @Test func `says at once where it cannot be`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: SystemError("open", .ENOENT, what: "\(folder)/none/report")) {
            _ = try AtomicFile.open("\(folder)/none/report")
        }
    }
}
