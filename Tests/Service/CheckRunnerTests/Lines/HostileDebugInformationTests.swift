// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CheckRunner

extension LinesProcessTests {
    /// Debug information that attacks its reader. Lines may then be missing, but a run does not wait for them longer than the limit.
    @Suite struct HostileDebugInformationTests {
        private let process = LinesProcessTests()

        /// The lines of a site in the program and of one in a healthy program, which is resolved first. Fails if they come too late.
        private func expectEnd(of program: String, at offset: UInt64) throws -> ResolvedLines {
            var lines: ResolvedLines?
            try process.withProgram { healthy in
                let place = try process.address(of: "ask", in: healthy) + 10
                let start = ContinuousClock.now
                let resolved = try process.resolve([
                    ModuleSite(module: healthy, offset: place), ModuleSite(module: program, offset: offset),
                ])
                #expect(ContinuousClock.now - start < LinesProcess.timeLimit + .seconds(5))
                #expect(resolved.sites[0].first?.line == 2)
                lines = resolved
            }
            return try #require(lines)
        }

        /// A program whose debug information is written by hand: one unit, and in it entries of two functions at the same place.
        private func withInformation(_ entries: String, _ body: (String, UInt64) throws -> Void) throws {
            try process.withProgram { program in
                let source = program + ".s"
                try Self.assembly(entries).write(toFile: source, atomically: true, encoding: .utf8)
                try runToEnd(["cc", "-o", program, source]).successful()
                try body(program, try process.address(of: "main", in: program) + 1)
            }
        }

        private static func assembly(_ entries: String) -> String {
            """
                .text
                .globl main
            main:
                nop
                nop
                nop
                ret
            end:
                .section .note.GNU-stack,"",@progbits
                .section .debug_abbrev,"",@progbits
                .uleb128 1, 0x11
                .byte 1
                .uleb128 0x11, 1, 0x12, 7, 0, 0
                # 2: a function with the origin of another
                .uleb128 2, 0x2e
                .byte 1
                .uleb128 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0
                # 3: a function whose next sibling is said
                .uleb128 3, 0x2e
                .byte 1
                .uleb128 1, 0x13, 0x11, 1, 0x12, 7, 0, 0
                # 4: a function whose name is in another file
                .uleb128 4, 0x2e
                .byte 0
                .uleb128 3, 0x1f21, 0x11, 1, 0x12, 7, 0, 0
                # 5: a function whose specification is another
                .uleb128 5, 0x2e
                .byte 1
                .uleb128 0x47, 0x13, 0x11, 1, 0x12, 7, 0, 0
                .byte 0
                .section .debug_info,"",@progbits
            unit:
                .long last - first
            first:
                .value 4
                .long .debug_abbrev
                .byte 8
                .uleb128 1
                .quad main, end - main
            \(entries)
                .byte 0
            last:
            """
        }

        private static let place = "    .quad main, end - main"

        @Test func `entries that lead to each other, or to themselves, end`() throws {
            let cycles = [
                "a: .uleb128 2\n    .long b - unit\n\(Self.place)\n    .byte 0\nb: .uleb128 2\n    .long a - unit\n\(Self.place)\n    .byte 0",
                "a: .uleb128 5\n    .long a - unit\n\(Self.place)\n    .byte 0",
                "a: .uleb128 3\n    .long a - unit\n\(Self.place)\n    .byte 0",
                "a: .uleb128 3\n    .long 11\n\(Self.place)\n    .byte 0",
                "a: .uleb128 2\n    .long 0xfffffff0\n\(Self.place)\n    .byte 0",
            ]
            for cycle in cycles {
                try withInformation(cycle) { program, offset in _ = try expectEnd(of: program, at: offset) }
            }
        }

        @Test func `functions in functions, twenty thousand deep, end`() throws {
            let functions = String(repeating: "    .uleb128 2\n    .long 11\n\(Self.place)\n", count: 20_000)
            let ends = String(repeating: "    .byte 0\n", count: 20_000)
            try withInformation(functions + ends) { program, offset in _ = try expectEnd(of: program, at: offset) }
        }

        @Test(arguments: ["/dev/zero", "a pipe", "."])
        func `a further file that never ends, or that nobody writes, keeps nobody`(_ link: String) throws {
            try withInformation("    .uleb128 4\n    .long 0\n\(Self.place)") { program, offset in
                let pipe = program + ".pipe"
                #expect(unsafe mkfifo(pipe, 0o600) == 0)
                let further = link == "a pipe" ? pipe : link
                let section = program + ".section"
                try (Data(further.utf8) + Data(count: 21)).write(to: URL(filePath: section))
                try runToEnd(["objcopy", "--add-section", ".gnu_debugaltlink=\(section)", program]).successful()
                _ = try expectEnd(of: program, at: offset)
            }
        }

        @Test func `separate debug information that is a pipe keeps nobody, and it is said that lines are missing`()
            throws
        {
            try process.withProgram { program in
                let debug = program + ".debug"
                let offset = try process.address(of: "ask", in: program) + 10
                try runToEnd(["objcopy", "--only-keep-debug", program, debug]).successful()
                try runToEnd(["objcopy", "--strip-debug", "--add-gnu-debuglink=\(debug)", program]).successful()
                try runToEnd(["rm", debug]).successful()
                #expect(unsafe mkfifo(debug, 0o600) == 0)
                let lines = try expectEnd(of: program, at: offset)
                #expect(lines.problem?.contains("10 s") == true || !lines.sites[1].isEmpty)
            }
        }

        /// Each section header in turn says that its section is as long as nothing is, or begins there.
        /// The files that debug information names are read to find an address of the program's data in them.
        @Test(arguments: ["/dev/zero", "/proc/kmsg", "pipe", "folder", "link", "large", "/nosuch", ""])
        func `a source that never ends, or is none, keeps nobody`(_ name: String) throws {
            try process.withProgram { program in
                let folder = URL(filePath: program).deletingLastPathComponent()
                _ = unsafe mkfifo(folder.appending(path: "pipe").path, 0o600)
                _ = unsafe mkdir(folder.appending(path: "folder").path, 0o700)
                _ = unsafe symlink("/dev/zero", folder.appending(path: "link").path)
                try runToEnd(["truncate", "-s", "1T", folder.appending(path: "large").path]).successful()
                let path = name.isEmpty || name.hasPrefix("/") ? name : folder.appending(path: name).path
                let source = program + ".c"
                try "#line 1 \"\(path)\"\nint main(void) { return 0; }\n".write(
                    toFile: source, atomically: true, encoding: .utf8)
                try runToEnd(["cc", "-g", "-o", program, source]).successful()
                let start = ContinuousClock.now
                let found = LinesProcess.sources(of: [program], by: try #require(built))
                #expect(found.count == 1)
                if name.hasPrefix("/") || name == "pipe" { #expect(found[0].contains(path), "\(found)") }
                for path in found[0] { #expect(AddressOrigins.contents(path, limit: 1 << 20)?.count ?? 0 <= 1 << 20) }
                #expect(ContinuousClock.now - start < LinesProcess.timeLimit + .seconds(5))
            }
        }

        @Test func `sections of any size end`() throws {
            try process.withProgram { program in
                let offset = try process.address(of: "ask", in: program) + 10
                let whole = try [UInt8](Data(contentsOf: URL(filePath: program)))
                func number(_ place: Int, _ size: Int) -> Int {
                    whole[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
                }
                let table = number(40, 8)
                var sites: [ModuleSite] = []
                for section in 0..<number(60, 2) {
                    for field in [24, 32] {
                        var octets = whole
                        let place = table + section * 64 + field
                        octets.replaceSubrange(
                            place..<place + 8, with: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])
                        let broken = program + ".\(section).\(field)"
                        try Data(octets).write(to: URL(filePath: broken))
                        sites.append(ModuleSite(module: broken, offset: offset))
                    }
                }
                for site in sites {
                    let start = ContinuousClock.now
                    let lines = try process.resolve([site])
                    #expect(ContinuousClock.now - start < LinesProcess.timeLimit + .seconds(5), "\(site.module)")
                    #expect(lines.sites.count == 1)
                }
            }
        }

        /// The kernel kills a process that reads a page of a mapped file that is no longer there.
        @Test func `a file that changes while it is read ends`() throws {
            try process.withProgram { program in
                let offset = try process.address(of: "ask", in: program) + 10
                let whole = try Data(contentsOf: URL(filePath: program))
                let isOver = Atomic(false)
                let thread = Thread {
                    while !isOver.load(ordering: .relaxed) {
                        unsafe truncate(program, 4096)
                        usleep(200)
                        try? whole.write(to: URL(filePath: program), options: [])
                        usleep(200)
                    }
                }
                thread.start()
                defer { isOver.store(true, ordering: .relaxed) }
                for _ in 0..<20 {
                    let start = ContinuousClock.now
                    let lines = try process.resolve([ModuleSite(module: program, offset: offset)])
                    #expect(ContinuousClock.now - start < LinesProcess.timeLimit + .seconds(5))
                    if !lines.sites[0].isEmpty, let line = lines.sites[0][0].line { #expect(line == 2) }
                }
            }
        }
    }
}
