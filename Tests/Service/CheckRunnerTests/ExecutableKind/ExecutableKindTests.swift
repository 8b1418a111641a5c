// SPDX-License-Identifier: Apache-2.0
import Executables
import Sandbox
import Testing

@testable import CheckRunner

@Suite struct ExecutableKindTests {
    private func kind(_ builder: ELFBuilder) -> ExecutableKind {
        withFile(builder.octets) { ExecutableInspection.of(OSString($0), path: nil).kind }
    }

    @Test func `a program of this machine is dynamic`() {
        #expect(ExecutableInspection.of("/bin/sh", path: nil).kind == .dynamic(.glibc, go: nil))
    }

    @Test(arguments: [
        ("/lib64/ld-linux-x86-64.so.2", ExecutableKind.dynamic(.glibc, go: nil)),
        ("/lib/ld-linux-aarch64.so.1", .dynamic(.glibc, go: nil)), ("/lib/ld64.so.1", .dynamic(.glibc, go: nil)),
        ("/lib/ld-musl-x86_64.so.1", .dynamic(.musl, go: nil)),
        ("/system/bin/linker64", .otherLoader("/system/bin/linker64")),
    ]) func `the loader tells the C library`(_ loader: String, _ expected: ExecutableKind) {
        #expect(kind(ELFBuilder(interpreter: loader)) == expected)
    }

    @Test func `without a loader a program is static`() {
        #expect(kind(ELFBuilder()) == .isStatic(go: nil))
    }

    @Test func `a program for another machine is known`() {
        #expect(kind(ELFBuilder(machine: 0x1234, interpreter: "/lib/ld.so.1")) == .otherMachine)
        #expect(kind(ELFBuilder(width: 1, interpreter: "/lib/ld-linux.so.2")) == .otherMachine)
    }

    @Test(arguments: [true, false]) func `a Go program says how it was built`(_ cgo: Bool) {
        let settings =
            String(repeating: "dep\texample.org/module\tv1.0.0\n", count: 20) + "build\tCGO_ENABLED=\(cgo ? 1 : 0)\n"
        let information = ELFBuilder.goInformation(version: "go1.24.1", settings: settings)
        let expected = GoBuildInformation(information)
        #expect(expected.version == "go1.24.1")
        #expect(expected.usesCgo == cgo)
        #expect(kind(ELFBuilder(goBuildInformation: information)) == .isStatic(go: expected))
    }

    @Test func `a script is what executes it`() {
        for line in ["#!/bin/sh", "#! /bin/sh -e", "#!/usr/bin/env sh", "#!/usr/bin/env -S X=1 sh -e"] {
            withFile(Array("\(line)\necho hello\n".utf8)) { path in
                let inspection = ExecutableInspection.of(OSString(path), path: "/bin")
                #expect(inspection.program == "/bin/sh")
                #expect(inspection.kind == .dynamic(.glibc, go: nil))
            }
        }
    }

    @Test func `a script that executes itself comes to an end`() {
        withFile([]) { path in
            append(Array("#!\(path)\n".utf8), to: path)
            #expect(ExecutableInspection.of(OSString(path), path: nil).kind == .unknown)
        }
    }

    @Test func `what is neither is unknown and what cannot be read is unreadable`() {
        for text in ["", "#!", "#!\n", "echo hello\n", "\u{7f}ELF"] {
            #expect(withFile(Array(text.utf8)) { ExecutableInspection.of(OSString($0), path: nil).kind } == .unknown)
        }
        #expect(ExecutableInspection.of("/nonexistent", path: nil).kind == .unreadable)
    }

    @Test func `a truncated file is read or refused and never traps us`() {
        let whole = ELFBuilder(
            interpreter: "/lib/ld-musl-x86_64.so.1",
            goBuildInformation: ELFBuilder.goInformation(version: "go1.24", settings: "build\tCGO_ENABLED=1\n")
        ).octets
        for length in 0..<whole.count {
            let kind = withFile(Array(whole.prefix(length))) { ExecutableInspection.of(OSString($0), path: nil).kind }
            if length < 64 { #expect(kind == .unknown) }
        }
    }

    @Test func `hostile numbers are refused`() {
        let whole = ELFBuilder(
            interpreter: "/lib/ld-musl-x86_64.so.1",
            goBuildInformation: ELFBuilder.goInformation(version: "go1.24", settings: "")
        ).octets
        // Each octet of every header takes its worst values, one and eight at a time.
        for offset in 4..<whole.count {
            for value: UInt8 in [0x00, 0x7f, 0x80, 0xff] {
                for width in [1, 8] {
                    var octets = whole
                    for place in offset..<min(offset + width, octets.count) { octets[place] = value }
                    _ = withFile(octets) { ExecutableInspection.of(OSString($0), path: nil) }
                }
            }
        }
    }
}
