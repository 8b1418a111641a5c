// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import TestSupport
import Testing

@testable import StackLines

/// How a program is built, and what is expected of its stack.
struct Build: CustomTestStringConvertible, Sendable {
    var source: String
    var command: String
    /// By the debug information's name; with the line of this remark.
    var frames: [(function: String, remark: String)]

    var testDescription: String { command }

    static let all = [
        Build(
            source: "plain.c", command: "cc -O0 -g -o program $SOURCE",
            frames: [("connect_server", "the call"), ("ask", "in ask"), ("main", "in main")]),
        Build(
            source: "plain.c", command: "cc -O2 -g -o program $SOURCE",
            frames: [("connect_server", "the call"), ("ask", "in ask"), ("main", "in main")]),
        Build(
            source: "plain.c", command: "cc -O2 -g -no-pie -o program $SOURCE",
            frames: [("connect_server", "the call"), ("ask", "in ask"), ("main", "in main")]),
        Build(
            source: "plain.c", command: "cc -O2 -g -static -o program $SOURCE",
            frames: [("connect_server", "the call"), ("ask", "in ask"), ("main", "in main")]),
        Build(
            source: "plain.c",
            command: """
                cc -O2 -g -o program $SOURCE; objcopy --only-keep-debug program program.debug; strip program
                objcopy --add-gnu-debuglink=program.debug program
                """, frames: [("connect_server", "the call"), ("ask", "in ask"), ("main", "in main")]),
        Build(
            source: "plain.cpp", command: "c++ -O1 -g -o program $SOURCE",
            frames: [("open", "the call"), ("main", "in main")]),
        Build(
            source: "plain.swift", command: "swiftc -Onone -g -o program $SOURCE",
            frames: [("connectServer", "the call"), ("main", "in main")]),
        Build(
            source: "plain.rs", command: "rustc -g -o program $SOURCE",
            frames: [("connect_server", "the call"), ("main", "in main")]),
        Build(
            source: "plain.go", command: "CGO_ENABLED=0 go build -o program $SOURCE",
            frames: [("main.connectServer", "the call"), ("main.main", "in main")]),
    ]

    /// Whether its compiler is here.
    var isPossible: Bool {
        let compiler = command.split(separator: " ").first { !$0.contains("=") }.map(String.init) ?? ""
        return isInstalled(compiler)
    }
}

@Suite struct `Lines of stacks` {
    @Test(arguments: Build.all)
    func `are those of the functions that have not returned`(build: Build) throws {
        guard build.isPossible else { return }
        let built = try Built(build.source, by: build.command)
        let frames = try unwound(built.snapshots())
        let own = frames.filter { $0.file == built.source }
        try #require(own.count >= build.frames.count, "\(frames)")
        for (frame, expected) in zip(own, build.frames) {
            #expect(frame.function == expected.function)
            #expect(try frame.line == built.line(expected.remark))
            #expect(frame.module == built.program)
        }
    }

    @Test func `of a stripped program are places that addr2line takes`() throws {
        let built = try Built(
            "plain.c",
            by: "cc -O2 -g -Wl,--build-id=0x0123456789abcdef -o whole $SOURCE; strip -o program whole")
        let own = try unwound(built.snapshots()).filter { $0.module == built.program }
        #expect(own.count >= 2)
        #expect(own.allSatisfy { $0.buildID == "0123456789abcdef" && $0.line == nil && $0.file == nil })
        let offset = try #require(own.first?.offset)
        let line = try runToEnd(
            ["addr2line", "-e", built.folder.appending(path: "whole").path, "0x" + String(offset, radix: 16)])
        #expect(try line.text.hasPrefix("\(built.source):\(built.line("the call"))"))
    }

    @Test func `of a site are found without a stack`() throws {
        for kind in ["-pie", "-no-pie"] {
            let built = try Built("plain.c", by: "cc -O2 -g \(kind) -fPIE -o program $SOURCE")
            let frame = try #require(unwound(built.snapshots()).first { $0.function == "connect_server" })
            // Without a stack it is a return address, counted from the file's start.
            let base: UInt64 = kind == "-pie" ? 0 : 0x400000
            let site = try #require(frame.offset) + 1 - base
            let found = try StackLines().resolve(module: built.program, offset: site)
            #expect(found == [frame])
        }
    }

    @Test func `are none where there is no file, no map, or no stack`() throws {
        let lines = try StackLines()
        #expect(lines.resolve(module: "/nonexistent", offset: 7).isEmpty)
        #expect(lines.resolve(module: "/dev/zero", offset: 7).isEmpty)
        #expect(lines.resolve(module: "relative", offset: 7).isEmpty)
        let snapshot = StackSnapshot(registers: [1, 2, 3], stackAddress: 0, stack: [], map: 0)
        for maps in ["", "nonsense", "00400000-00401000 r-xp 00000000 08:01 17 /nonexistent\n"] {
            var answers = 0
            lines.resolve([snapshot], maps: Array(maps.utf8)) { frames in
                answers += 1
                #expect(frames.isEmpty)
            }
            #expect(answers == 1)
        }
    }
}
