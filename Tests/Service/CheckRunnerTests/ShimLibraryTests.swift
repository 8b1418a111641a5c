// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import CheckRunner

/// The library is loaded into the caller's programs: where it is looked for, and whose it may be.
@Suite struct `The library to preload` {
    /// Puts a file there, in an installation with the executable in `executable`, and looks for it.
    private func search(
        for place: String, seenFrom executable: String, prepare: (URL, URL) throws -> Void = { _, _ in }
    ) throws -> ShimLibrary.Search {
        let root = FileManager.default.temporaryDirectory.appending(path: "shim-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let (folder, ours) = (root.appending(path: place), root.appending(path: executable))
        for folder in [folder, ours] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        let file = folder.appending(path: "libipv6synth.so")
        try Data("library".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        try prepare(file, folder)
        return ShimLibrary.find(for: .glibc, seenFrom: ours.path + "/")
    }

    private func isFound(_ place: String, seenFrom executable: String) throws -> Bool {
        if case .found = try search(for: place, seenFrom: executable) { true } else { false }
    }

    private func objection(prepare: (URL, URL) throws -> Void) throws -> String? {
        if case .distrusted(let reason) = try search(for: "bin", seenFrom: "bin", prepare: prepare) {
            reason
        } else {
            nil
        }
    }

    @Test func `is found beside the executable and in lib`() throws {
        #expect(try isFound("usr/bin", seenFrom: "usr/bin"))
        #expect(try isFound("usr/lib/ipv6check", seenFrom: "usr/bin"))
    }

    @Test(arguments: [".build/debug", ".build/release", ".build/x86_64-unknown-linux-gnu/release"])
    func `is found where a checkout has it`(executable: String) throws {
        #expect(try isFound(".build/shim", seenFrom: executable))
    }

    @Test(arguments: [
        ("shim", "bin"), ("shim", "usr/bin"), ("shim", "x/release"), ("shim", "debug"),
        ("shim", "a/.build/b/c/release"),
        (".build/shim", ".build/bin"), (".build/a/shim", ".build/a/b/release"),
    ])
    func `is not looked for in any other folder of that name`(place: String, executable: String) throws {
        #expect(try !isFound(place, seenFrom: executable))
    }

    @Test(arguments: [0o664, 0o646, 0o666]) func `is not used where others can write to it`(mode: Int) throws {
        let reason = try objection { file, _ in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        }
        #expect(reason?.contains("libipv6synth.so can be written to by other users") == true)
    }

    @Test(arguments: [0o775, 0o777]) func `is not used in a folder that others can write to`(mode: Int) throws {
        let reason = try objection { _, folder in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        }
        #expect(reason?.contains("/bin can be written to by other users") == true)
    }

    @Test func `is used in a sticky folder, where nobody replaces what is not theirs`() throws {
        let reason = try objection { _, folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
        }
        #expect(reason == nil)
    }

    @Test(.enabled(if: getuid() == 0, "needs root to give files away"), arguments: [true, false])
    func `is not used where it or its folder is another user's`(isFile: Bool) throws {
        let reason = try objection { file, folder in
            try FileManager.default.setAttributes(
                [.ownerAccountID: 65_533], ofItemAtPath: (isFile ? file : folder).path)
        }
        #expect(reason?.contains("belongs to user 65533, who is neither root nor you") == true)
    }
}
