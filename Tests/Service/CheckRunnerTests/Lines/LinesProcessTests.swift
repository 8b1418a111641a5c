// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import TestSupport
import Testing

@testable import CheckRunner

let built = ProcessInfo.processInfo.environment["IPV6CHECK_BINARIES"].map { $0 + "/ipv6check" }

@Suite struct `What a lines process is asked` {
    @Test func `comes through as it was`() {
        var stacks = StackSnapshots()
        stacks.maps = [Array("map".utf8), []]
        stacks.snapshots = [
            StackSnapshot(registers: [1, .max], stackAddress: 7, stack: [1, 2, 3], map: 1, makers: [5, .max]),
            StackSnapshot(registers: [], stackAddress: .max, stack: [], map: 0),
        ]
        let order = LinesOrder(
            stacks: stacks, sites: [ModuleSite(module: "/bin/ä", offset: 9)], modules: ["/bin/ö", ""])
        let octets = order.octets
        #expect(LinesOrder(octets) == order)
        for count in octets.indices { #expect(LinesOrder(Array(octets.prefix(count))) == nil) }
        #expect(LinesOrder(octets + [0]) == nil)
        #expect(LinesOrder([UInt8](repeating: 0xff, count: 64)) == nil)
    }
}

@Suite(.enabled(if: built != nil, "IPV6CHECK_BINARIES names the folder of the executables"))
struct LinesProcessTests {
    func resolve(_ sites: [ModuleSite]) throws -> ResolvedLines {
        LinesProcess.resolve(StackSnapshots(), sites: sites, by: try #require(built))
    }

    /// A small program with debug information, in a folder of its own.
    func withProgram(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "main.c").path
        try "int ask(int a) {\n    return a * 3;\n}\nint main(void) { return ask(1); }\n".write(
            toFile: source, atomically: true, encoding: .utf8)
        let program = folder.appending(path: "program").path
        try runToEnd(["cc", "-g", "-O0", "-o", program, source]).successful()
        try body(program)
    }

    func address(of symbol: String, in program: String) throws -> UInt64 {
        let symbols = try runToEnd(["nm", program]).successful().text
        let line = try #require(symbols.split(separator: "\n").first { $0.hasSuffix(" \(symbol)") })
        return try #require(UInt64(line.prefix(16), radix: 16))
    }

    @Test func `says what stands at a site`() throws {
        try withProgram { program in
            let offset = try address(of: "ask", in: program) + 10
            let lines = try resolve([
                ModuleSite(module: "/nonexistent", offset: 1), ModuleSite(module: program, offset: offset),
            ])
            #expect(lines.problem == nil)
            #expect(lines.sites[0].isEmpty)
            #expect(lines.sites[1].map(\.function) == ["ask"])
            #expect(lines.sites[1].first?.line == 2)
        }
    }

    @Test func `says what a program was compiled from, libraries' files left out`() throws {
        try withProgram { program in
            let source = (program as NSString).deletingLastPathComponent + "/main.c"
            let sources = LinesProcess.sources(of: ["/nonexistent", program], by: try #require(built))
            #expect(sources == [[], [source]])
        }
    }

    @Test func `has an answer for broken files, and for others beside them`() throws {
        try withProgram { program in
            let whole = try [UInt8](Data(contentsOf: URL(filePath: program)))
            let offset = try address(of: "ask", in: program) + 10
            var state: UInt64 = 64
            var sites = [ModuleSite(module: program, offset: offset)]
            for number in 0..<48 {
                var octets = whole
                for _ in 0..<(1 << (number % 8)) {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    octets[Int(state >> 33) % octets.count] = UInt8(truncatingIfNeeded: state >> 25)
                }
                if number % 6 == 5 { octets.removeLast(octets.count / 3) }
                let broken = program + ".\(number)"
                try Data(octets).write(to: URL(filePath: broken))
                sites.append(ModuleSite(module: broken, offset: offset))
            }
            let start = ContinuousClock.now
            let lines = try resolve(sites)
            #expect(ContinuousClock.now - start < LinesProcess.timeLimit + .seconds(5))
            #expect(lines.sites.count == sites.count)
            #expect(lines.sites[0].first?.line == 2)
        }
    }

    @Test func `that cannot be started is a problem, and no lines`() {
        let lines = LinesProcess.resolve(
            StackSnapshots(), sites: [ModuleSite(module: "/bin/sh", offset: 1)], by: "/nonexistent")
        #expect(lines.problem != nil)
        #expect(lines.sites == [[]])
    }
}
