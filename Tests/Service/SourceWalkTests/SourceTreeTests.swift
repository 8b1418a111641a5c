// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import SourceScan
import SourceWalk
import Testing

struct SourceTreeTests {
    private static let literal = Array("connect(\"10.1.2.3\");\n".utf8)

    /// A folder of its own, which is removed afterwards.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let path = "/tmp/scan-tests.\(getpid()).\(UInt32.random(in: 0 ... .max))"
        try makeFolder(path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private func write(_ contents: [UInt8], to path: String) throws {
        try Descriptor.create(path).write(contents)
    }

    @Test func `others' folders and tests are passed over, unless all is wanted`() throws {
        try inFolder { folder in
            for name in ["src", "node_modules", "tests", ".hidden"] {
                try makeFolder("\(folder)/\(name)")
                try write(Self.literal, to: "\(folder)/\(name)/a.js")
            }
            let few = try SourceTree.scan([folder], takesAll: false, suppressions: nil)
            #expect(few.findings.map(\.path) == ["\(folder)/src/a.js"])
            #expect(try SourceTree.scan([folder], takesAll: true, suppressions: nil).findings.count == 4)
        }
    }

    @Test func `a FIFO, a loop of links, and a file that is too large neither block nor trap`() throws {
        try inFolder { folder in
            unsafe #expect(mkfifo("\(folder)/pipe.c", 0o600) == 0)
            unsafe #expect(symlink(".", "\(folder)/loop") == 0)
            unsafe #expect(symlink("a.c", "\(folder)/link.c") == 0)
            try write(Self.literal, to: "\(folder)/a.c")
            try write([UInt8](repeating: 0x20, count: SourceTree.sizeLimit + 1), to: "\(folder)/large.c")
            try write([0, 1, 2], to: "\(folder)/binary.c")
            let result = try SourceTree.scan([folder, "\(folder)/pipe.c"], takesAll: false, suppressions: nil)
            #expect(result.files == 1)
            #expect(result.findings.map(\.path) == ["\(folder)/a.c"])
            #expect(
                result.notes == [
                    "\(folder)/binary.c is binary", "\(folder)/large.c has more than 8 MiB",
                    "\(folder)/pipe.c is no regular file",
                ])
        }
    }

    @Test func `a sparse file of a gigabyte is not read, as a source or as a binary`() throws {
        try inFolder { folder in
            for name in ["large.c", "large.so"] {
                try write([0x7f, 0x45, 0x4c, 0x46, 2, 1], to: "\(folder)/\(name)")
                unsafe #expect(truncate("\(folder)/\(name)", 1 << 30) == 0)
            }
            let result = try SourceTree.scan([folder], takesAll: false, suppressions: nil)
            #expect(result.files == 0)
            #expect(result.notes == ["\(folder)/large.c has more than 8 MiB"])
        }
    }

    @Test func `a less likely finding that a run met is told`() throws {
        try inFolder { folder in
            try write(Array("f(\"10.1.2.3\");\nf(\"10.1.2.4\");\n".utf8), to: "\(folder)/a.c")
            let few = try SourceTree.scan([folder], takesAll: false, suppressions: nil)
            #expect(few.findings.isEmpty)
            #expect(few.possible == 2)
            let met = try SourceTree.scan([folder], takesAll: false, suppressions: nil) { $0.finding.line == 2 }
            #expect(met.findings.map(\.finding.line) == [2])
            #expect(met.possible == 1)
        }
    }

    @Test func `what a suppression file accepts is told with its reason`() throws {
        try inFolder { folder in
            try write(Self.literal, to: "\(folder)/a.c")
            let file = try SuppressionFile("**/a.c V6C-001 -- a lab\n")
            let result = try SourceTree.scan([folder], takesAll: false, suppressions: file)
            #expect(result.findings.isEmpty)
            #expect(result.accepted.map(\.reason) == ["a lab"])
        }
    }

    @Test func `what may be the half for IPv4 is not told beside the other half`() throws {
        try inFolder { folder in
            for name in ["old", "both"] {
                try makeFolder("\(folder)/\(name)")
                try write(Array("int f(void) { h = gethostbyname(x); connect(s); }".utf8), to: "\(folder)/\(name)/a.c")
            }
            try write(Array("int g(void) { getaddrinfo(x, 0, 0, &y); }".utf8), to: "\(folder)/both/b.c")
            let few = try SourceTree.scan([folder], takesAll: false, suppressions: nil)
            #expect(few.findings.map(\.path) == ["\(folder)/old/a.c"])
            #expect(few.possible == 1)
            #expect(try SourceTree.scan([folder], takesAll: true, suppressions: nil).findings.count == 2)
        }
    }
}
