// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `nat64sim translate` needs no network and no privileges, so it is tested on every machine.
@Suite struct `nat64sim translate` {
    private let folder = Binaries.scratch.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
        try Data(Self.capture).write(to: folder.appending(path: "in.pcap"))
    }

    /// IP6 2e00:2:0:1::c0:100.5000 > 64:ff9b::cb00:7105.53: UDP, length 2; with a hop limit of 1 the second time.
    private static let capture: [UInt8] = {
        func record(second: UInt8, hopLimit: UInt8) -> [UInt8] {
            [second, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 50, 0, 0, 0]
                + [0x60, 0, 0, 0, 0, 10, 17, hopLimit]
                + [0x20, 0x01, 0, 2, 0, 0, 0xaa, 0xb1, 0, 0, 0, 0, 0, 0, 0x01, 0x00]
                + [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 0xcb, 0x00, 0x71, 0x05]
                + [0x13, 0x88, 0x00, 0x35, 0x00, 0x0a, 0x7b, 0xf9, 0x68, 0x69]
        }
        return [0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 101, 0, 0, 0]
            + record(second: 1, hopLimit: 64) + record(second: 2, hopLimit: 1)
    }()

    private func translate(_ arguments: String..., as user: User = .ordinary) throws -> Output {
        try run(["env", "-C", folder.path, Binaries.nat64sim, "translate"] + arguments, as: user)
    }

    @Test func `translates a capture for whoever asks, the same each time`() throws {
        let first = try translate("--json", "a.json", "in.pcap", "a.pcap")
        #expect(first.status == 0, Comment(rawValue: first.standardError))
        #expect(first.standardError.contains("drop hop-limit-exceeded"))
        #expect(first.standardOutput.isEmpty)
        #expect(try translate("--json", "b.json", "in.pcap", "b.pcap").status == 0)
        for kind in ["pcap", "json"] {
            let (a, b) = (folder.appending(path: "a.\(kind)"), folder.appending(path: "b.\(kind)"))
            #expect(try Data(contentsOf: a) == Data(contentsOf: b))
        }
        let seen = try run(["tcpdump", "-nr", folder.appending(path: "a.pcap").path])
        #expect(seen.text.contains("> 203.0.113.5.53:"))
        #expect(seen.text.contains("time exceeded in-transit"))
        let lines = try String(contentsOf: folder.appending(path: "a.json"), encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("\"drops\":[\"hop-limit-exceeded\"]"))
    }

    @Test func `reads standard input and writes standard output`() throws {
        #expect(try translate("in.pcap", "file.pcap").status == 0)
        let piped = try run(
            ["sh", "-c", "exec \(Binaries.nat64sim) translate - - < \(folder.path)/in.pcap"], as: .ordinary)
        #expect(piped.status == 0, Comment(rawValue: piped.standardError))
        #expect(piped.standardOutput == (try Data(contentsOf: folder.appending(path: "file.pcap"))))
    }

    @Test(arguments: [
        (["in.pcap"], "give IN.pcap and OUT.pcap"), (["--tun", "x", "in.pcap", "o"], "or --tun"),
        (["--end-with-parent", "in.pcap", "o"], "--end-with-parent is for"),
        (["nothing.pcap", "o"], "nothing.pcap: No such file"),
        (["in.pcap", "in.pcap"], "give another file"), (["in.pcap", "/dev/full"], "/dev/full: No space left"),
        (["--config", "in.pcap", "in.pcap", "o"], "in.pcap:1:3: this is not UTF-8"),
        (["--packet-fd6", "77", "--packet-fd4", "78"], "descriptor 77: "),
        (["--until", "soon", "in.pcap", "o"], "--until"),
    ])
    func `says what is wrong with its arguments`(arguments: [String], complaint: String) throws {
        let output = try run(["env", "-C", folder.path, Binaries.nat64sim, "translate"] + arguments, as: .ordinary)
        #expect(output.status == 2)
        #expect(output.standardError.contains(complaint), Comment(rawValue: output.standardError))
    }
}
