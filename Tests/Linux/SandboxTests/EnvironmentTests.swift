// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing

@testable import Sandbox

@Suite struct `An environment` {
    static let entries: [OSString] = ["PATH=/bin", "EMPTY=", "odd", "PATHS=no", "PATH=/second"]

    @Test func `gives the first value of a name`() {
        let environment = Environment(entries: Self.entries)
        #expect(environment["PATH"] == "/bin")
        #expect(environment["EMPTY"] == "")
        #expect(environment["odd"] == nil)
        #expect(environment["NONE"] == nil)
    }

    @Test func `is read as the kernel has it, and what has no name is no variable`() {
        let block: [UInt8] = Self.entries.flatMap { (entry: OSString) -> [UInt8] in Array(entry.bytes) + [0] }
        let environment = Environment(block: block)
        #expect(environment.entries == Self.entries)
        #expect(environment.variables.map(\.name) == ["PATH", "EMPTY", "PATHS", "PATH"])
        #expect(environment.variables.map(\.value) == ["/bin", "", "no", "/second"].map { Array($0.utf8) })
        #expect(Environment(block: Array(block.dropLast(3))).variables.last?.value == Array("/seco".utf8))
    }

    @Test func `changes a variable in its place and removes all of its name`() {
        var environment = Environment(entries: Self.entries)
        environment["PATH"] = "/usr/bin"
        #expect(environment.entries == ["PATH=/usr/bin", "EMPTY=", "odd", "PATHS=no"])
        environment["EMPTY"] = nil
        environment["NEW"] = "x=y"
        #expect(environment.entries == ["PATH=/usr/bin", "odd", "PATHS=no", "NEW=x=y"])
        #expect(environment["NEW"] == "x=y")
    }
}

@Suite struct `Finding an executable` {
    @Test func `looks through PATH`() throws {
        #expect(try Executable.find("sh", path: "/nonexistent:/bin").get() == "/bin/sh")
        #expect(try Executable.find("sh", path: nil).get() == "/bin/sh")
    }

    @Test func `takes a word with a slash for a path`() throws {
        #expect(try Executable.find("/bin/sh", path: "").get() == "/bin/sh")
        #expect(throws: Errno.ENOENT) { try Executable.find("./sh", path: "/bin").get() }
    }

    @Test func `tells what is not there from what is no program`() throws {
        let folder = try Folder()
        try folder.write("text", "hello")
        #expect(throws: Errno.ENOENT) { try Executable.find("no-such-program", path: "/bin").get() }
        #expect(throws: Errno.ENOENT) { try Executable.find("", path: "/bin").get() }
        #expect(throws: Errno.EACCES) { try Executable.find("text", path: OSString(folder.path + ":/bin")).get() }
        #expect(throws: Errno.EISDIR) { try Executable.find("/etc", path: nil).get() }
        #expect(try Executable.find("sh", path: OSString(folder.path + ":/bin")).get() == "/bin/sh")
    }
}
