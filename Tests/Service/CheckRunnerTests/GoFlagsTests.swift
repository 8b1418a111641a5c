// SPDX-License-Identifier: Apache-2.0
import Foundation
import Sandbox
import Testing

@testable import CheckRunner

@Suite struct `GOFLAGS of a client` {
    private func environment(_ entries: String...) -> Environment {
        Environment(entries: entries.map { OSString($0) })
    }

    @Test(arguments: [
        ("", "-count=1"), (" ", "-count=1"), ("-mod=vendor", "-count=1 -mod=vendor"),
        ("-tags=a,b  -race", "-count=1 -tags=a,b  -race"), ("-coverprofile=count", "-count=1 -coverprofile=count"),
        ("-covermode=count", "-count=1 -covermode=count"),
    ])
    func `begin with a count of one, so that the user's come later`(own: String, expected: String) {
        #expect(GoFlags.avoidingTestCache(Array(own.utf8)) == OSString(expected))
    }

    @Test(arguments: ["-count=3", "--count=1", "-v -test.count=2", "-race\t--test.count=0"])
    func `stay as they are if they set the count`(own: String) {
        #expect(GoFlags.avoidingTestCache(Array(own.utf8)) == nil)
    }

    @Test func `are written where Go's own configuration is`() {
        #expect(GoFlags.configurationPath(environment("HOME=/home/a")) == "/home/a/.config/go/env")
        #expect(GoFlags.configurationPath(environment("HOME=/home/a", "XDG_CONFIG_HOME=/x")) == "/x/go/env")
        #expect(GoFlags.configurationPath(environment("HOME=/home/a", "XDG_CONFIG_HOME=")) == "/home/a/.config/go/env")
        #expect(GoFlags.configurationPath(environment("HOME=/home/a", "GOENV=/e")) == "/e")
        #expect(GoFlags.configurationPath(environment("HOME=/home/a", "GOENV=off")) == nil)
        #expect(GoFlags.configurationPath(environment("PATH=/bin")) == nil)
    }

    @Test func `of go env -w are kept, and hidden by a variable that is not empty`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("GOPROXY=off\nGOFLAGS=-race\n# GOFLAGS=-x\nGOFLAGS=-mod=mod -v\nGOFLAGSX=-y\n".utf8).write(to: file)
        let configured = "GOENV=\(file.path)"
        #expect(GoFlags.avoidingTestCache(environment(configured)) == "-count=1 -mod=mod -v")
        #expect(GoFlags.avoidingTestCache(environment(configured, "GOFLAGS=")) == "-count=1 -mod=mod -v")
        #expect(GoFlags.avoidingTestCache(environment(configured, "GOFLAGS=-trimpath")) == "-count=1 -trimpath")
        try Data("GOFLAGS=-count=4".utf8).write(to: file)
        #expect(GoFlags.avoidingTestCache(environment(configured)) == nil)
        try FileManager.default.removeItem(at: file)
        #expect(GoFlags.avoidingTestCache(environment(configured)) == "-count=1")
    }
}
