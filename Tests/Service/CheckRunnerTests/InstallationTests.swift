// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import CheckRunner

@Suite final class InstallationTests {
    private let root: String

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "installation-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ path: String) throws {
        let url = URL(filePath: "\(root)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
    }

    @Test(
        arguments: [
            ("/a/.build/release/", "/a/"), ("/a/.build/x86_64-unknown-linux-gnu/debug/", "/a/"),
            ("/.build/debug/", "/"),
            ("/a/.build/x/y/debug/", nil), ("/a/build/debug/", nil), ("/usr/bin/", nil), ("/", nil),
        ] as [(String, String?)]) func `a checkout is above its build`(folder: String, checkout: String?)
    {
        #expect(Installation.checkout(of: folder) == checkout)
    }

    @Test func `documents are in share of an installation, and in docs of a checkout`() throws {
        try write("share/doc/ipv6check/a.json")
        try write("docs/b.json")
        #expect(
            Installation.document("a.json", seenFrom: "\(root)/bin/") == "\(root)/share/doc/ipv6check/a.json")
        #expect(Installation.document("b.json", seenFrom: "\(root)/.build/release/") == "\(root)/docs/b.json")
        for folder in ["\(root)/bin/", "\(root)/.build/elsewhere/", nil] {
            #expect(Installation.document("b.json", seenFrom: folder) == nil)
        }
    }

    @Test func `a script is a command in a checkout only`() throws {
        try write("scripts/build-shim")
        #expect(Installation.script("build-shim", seenFrom: "\(root)/.build/debug/") == "\(root)/scripts/build-shim")
        #expect(Installation.script("build-shim", seenFrom: "\(root)/bin/") == nil)
        #expect(Installation.script("other", seenFrom: "\(root)/.build/debug/") == nil)
    }
}
