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
