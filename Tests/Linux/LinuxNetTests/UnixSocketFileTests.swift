// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LinuxNet
import Testing

@Suite struct UnixSocketFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "listener-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "socket").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func permissions() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [UnixSocketFile.Kind.stream, .messages])
    func `the file goes with the listener`(kind: UnixSocketFile.Kind) throws {
        do {
            let listener = try UnixSocketFile(at: path, kind, mode: 0o660)
            #expect(listener.listener.descriptor > 2)
            #expect(try permissions() == 0o660)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: [UnixSocketFile.Kind.stream, .messages])
    func `a living one is not replaced`(kind: UnixSocketFile.Kind) throws {
        let listener = try UnixSocketFile(at: path, kind)
        for other in [UnixSocketFile.Kind.stream, .messages] {
            #expect(throws: UnixSocketFileError.taken(path)) { _ = try UnixSocketFile(at: path, other) }
        }
        #expect(try permissions() == 0o660)
        _ = consume listener
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `what a dead one left behind is replaced`() throws {
        // A second name keeps the file when the first is removed: so it is as after SIGKILL.
        let kept = folder.appending(path: "kept").path
        do {
            let dead = try UnixSocketFile(at: path, .stream)
            try FileManager.default.linkItem(atPath: path, toPath: kept)
            _ = consume dead
        }
        try FileManager.default.moveItem(atPath: kept, toPath: path)
        let listener = try UnixSocketFile(at: path, .stream)
        #expect(throws: UnixSocketFileError.taken(path)) { _ = try UnixSocketFile(at: path, .stream) }
        _ = consume listener
        try FileManager.default.removeItem(at: folder)
    }

    /// Every user with read access can lock the folder, and a world-readable lock file.
    @Test func `a lock of another's on the folder keeps nobody`() throws {
        let held = try Descriptor.open(folder.path, flags: O_RDONLY)
        #expect(flock(held.number, LOCK_EX) == 0)
        try Data().write(to: URL(filePath: path + ".lock"))
        let open = try Descriptor.open(path + ".lock", flags: O_RDONLY)
        #expect(flock(open.number, LOCK_EX) == 0)
        do {
            let listener = try UnixSocketFile(at: path, .stream)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["socket"])
            _ = consume listener
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `a file that is no socket is left alone`() throws {
        try Data("precious".utf8).write(to: URL(filePath: path))
        #expect(throws: UnixSocketFileError.notASocket(path)) { _ = try UnixSocketFile(at: path, .stream) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `what stands in its place at the end stays`() throws {
        do {
            let listener = try UnixSocketFile(at: path, .stream)
            try FileManager.default.removeItem(atPath: path)
            try Data("another's".utf8).write(to: URL(filePath: path))
            _ = consume listener
        }
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `paths that cannot be a socket's are refused`() throws {
        for path in ["", "a\0b", String(repeating: "x", count: 108)] {
            #expect(throws: UnixSocketFileError.badPath(path, maximum: 107)) {
                _ = try UnixSocketFile(at: path, .stream)
            }
        }
        #expect(throws: UnixSocketFileError.self) { _ = try UnixSocketFile(at: folder.path + "/none/socket", .stream) }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `of many that start at once one gets the name`() async throws {
        let path = path
        let winners = await withTaskGroup(of: Bool.self) { group in
            let gate = AsyncStream<Void>.makeStream()
            for _ in 0..<8 {
                group.addTask {
                    guard let listener = try? UnixSocketFile(at: path, .stream) else { return false }
                    for await _ in gate.stream {}
                    _ = consume listener
                    return true
                }
            }
            var results: [Bool] = []
            for await won in group {
                results.append(won)
                // The losers come back first: the winner waits for them.
                if results.count == 7 { gate.continuation.finish() }
            }
            return results.filter(\.self).count
        }
        #expect(winners == 1)
        try FileManager.default.removeItem(at: folder)
    }
}
