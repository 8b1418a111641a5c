// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import TestSupport
import Testing

/// The shim's messages to the runner.
@Suite("Evidence", .enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct EvidenceTests {
    /// Runs the helper that receives its own evidence.
    private func confess(
        _ arguments: [String], on host: Host = .ipv6Only, socket: String? = nil, environment: [String: String] = [:]
    ) throws -> [EvidenceRecord] {
        var host = host
        host.hosts = Questions.hosts
        let path = socket ?? FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { if socket == nil { try? FileManager.default.removeItem(atPath: path) } }
        let settings = ["IPV6CHECK_PREF64": "64:ff9b::/96", "IPV6CHECK_EVIDENCE": path]
        let outcome = try host.run(
            [try Toolchain.helper("confess")] + arguments, preload: [try Toolchain.shim.get()],
            environment: settings.merging(environment) { $1 }
        ).successful()
        return try outcome.text.split(separator: "\n").map { try EvidenceRecord(Array($0.utf8)) }
    }

    @Test
    func `Every interposed call is reported with its arguments and its answer`() throws {
        let records = try confess(["calls"])
        #expect(
            records.map(\.call) == [
                "getaddrinfo", "gethostbyname", "gethostbyname", "gethostbyname2", "gethostbyname_r",
                "gethostbyname2_r",
                "inet_addr", "inet_aton", "inet_ntoa",
            ])
        try #require(records.count == 9)
        #expect(records[0].node == "198.51.100.10" && records[0].service == "80")
        #expect(records[0].hints == .init(family: 0, socktype: 1, protocol: 0, flags: 0x20))
        #expect(records[0].answers == ["64:ff9b::c633:640a"] && records[0].count == 1)
        #expect(records[0].profile == "apple" && records[0].why == "literal" && records[0].synthesised == 1)
        #expect(records[1].node == "four.test" && records[1].answers == ["198.51.100.10"] && records[1].result == 0)
        #expect(records[2].node == "nowhere.test" && records[2].answers == [] && records[2].result != 0)
        #expect(records[3].answers == ["2e00:2:0:cafe::20"])
        #expect(records[4].answers == ["198.51.100.10"])
        #expect(records[5].answers == ["198.51.100.20"])
        #expect(records[6].node == "198.51.100.10" && records[6].result == 1)
        #expect(records[7].node == "198.51.100.300" && records[7].result == 0)
        #expect(records[8].node == "198.51.100.11")
        for record in records {
            #expect(record.program == "confess" && record.module?.hasSuffix("/confess") == true)
            #expect(record.pid == record.tid && record.pid > 0 && record.offset.map { $0 > 0 } == true)
            #expect(record.lost == 0 && !record.isCut)
        }
    }

    @Test
    func `Every program that is started is reported, and whether it will find the library`() throws {
        let records = try confess(["starts"], environment: ["PATH": "/nonexistent::/bin"])
        #expect(records.map(\.call) == Array(repeating: EvidenceRecord.execution, count: 10))
        // The working directory has no symbolic link in its name: /bin may be one.
        #expect(records.allSatisfy { $0.node == "/bin/sh" || $0.node == "/usr/bin/sh" })
        //              execve, v, vp, vpe with nothing, l, lp, le with its own, v of ./sh, posix_spawn, p with nothing
        #expect(records.map(\.result) == [1, 1, 1, 0, 1, 1, 0, 1, 1, 0])
    }

    @Test
    func `A connection to a Unix socket with a path is reported once, and an abstract or a missing one is not`() throws
    {
        let records = try confess(["sockets"])
        #expect(records.map(\.call) == [EvidenceRecord.localConnection])
        #expect(records.first?.node?.hasSuffix("/engine.sock") == true)
        #expect(records.first?.program == "confess" && records.first?.module == nil && records.first?.isCut == false)
    }

    @Test(arguments: [
        ("127.0.0.1", "80", "apple", "excluded"), ("10.0.0.1", "80", "apple", "excluded"),
        ("127.1", "80", "apple", "no-dotted-quad"), ("198.51.100.10", "nosuch", "apple", "unknown-service"),
        ("dual.test", "80", "apple", "not-needed"), ("four.test", "80", "android", "name"),
        ("198.51.100.10", "80", "android", "profile"), ("198.51.100.10", "80", "linux", "profile"),
        ("127.0.0.1", "80", "chromium", "ipv4-reachable"),
    ])
    func `The outcome says why nothing was synthesised`(node: String, service: String, profile: String, why: String)
        throws
    {
        // With an IPv4 address, for AI_ADDRCONFIG ends the lookup of an IPv4-only name on a host without one.
        let record = try #require(
            try confess([node, service], on: .dualStack, environment: ["IPV6CHECK_GETADDRINFO": profile]).first)
        #expect(record.why == why)
        #expect(record.profile == profile)
        #expect(record.synthesised == (why == "name" ? 1 : 0))
    }

    @Test
    func `An abstract socket serves as well`() throws {
        let records = try confess(["198.51.100.10", "80"], socket: "@ipv6check-\(UUID().uuidString)")
        #expect(records.map(\.answers) == [["64:ff9b::c633:640a"]])
    }

    @Test
    func `What nobody could receive is counted, and the count comes with the next record`() throws {
        let records = try confess(["lost", "5"])
        #expect(records.map(\.lost) == [5])
        #expect(records.map(\.node) == ["198.51.100.11"])
    }

    @Test
    func `A runner that does not read holds nobody up and learns what it missed`() throws {
        let records = try confess(["flooded", "2000"])
        let last = try #require(records.last)
        #expect(last.node == "198.51.100.11")
        #expect(records.count - 1 + last.lost == 2000)
        #expect(last.lost > 0)
    }

    @Test
    func `A call in a loop is reported once for each value`() throws {
        let records = try confess(["repeated"])
        #expect(records.map(\.node) == ["198.51.100.0", "198.51.100.1", "198.51.100.2", "198.51.100.3"])
    }

    @Test
    func
        `An IPv6 address that is read as an IPv4 one or has no room is reported once, and once if it is then read as what it is`()
        throws
    {
        let records = try confess(["readings"])
        #expect(
            records.prefix(6).map { "\($0.call) \($0.node ?? "") \($0.result)" } == [
                "inet_pton 2e00::1 0", "inet_pton 2e00::2 0", "inet_pton 2e00::2 1", "inet_aton 2e00::4 0",
                "inet_pton 2e00::4 1", "inet_ntop 6162:6364:6566:6768:696a:6b6c:6d6e:6f70 0",
            ])
        #expect(records.dropFirst(6).allSatisfy { $0.node?.hasPrefix("2e00:1::") == true && $0.result == 0 })
        #expect(records.count == 6 + 13 && records.allSatisfy { $0.lost == 0 })
    }

    @Test
    func `Odd names come through whole, long ones cut`() throws {
        let odd = try #require(try confess(["a b%20=\u{1}é,;", "80"]).first)
        #expect(odd.node == "a b%20=\u{1}é,;" && !odd.isCut)
        let long = try #require(try confess([String(repeating: "x", count: 3000), "80"]).first)
        #expect(long.node == String(repeating: "x", count: 255) && long.isCut)
        let percents = String(repeating: "%", count: 3000)
        let longest = try #require(try confess([percents, percents]).first)
        #expect(longest.node?.count == 255 && longest.service?.count == 255 && longest.isCut && longest.lost == 0)
        let empty = try #require(try confess(["", "80"]).first)
        #expect(empty.node == "")
    }

    @Test
    func `Whatever is no record is refused`() {
        #expect(throws: EvidenceRecord.ParseError.notARecord) { try EvidenceRecord([]) }
        #expect(throws: EvidenceRecord.ParseError.notARecord) { try EvidenceRecord(Array("ipv6synth/2 call=x".utf8)) }
        #expect(throws: EvidenceRecord.ParseError.missing("call")) { try EvidenceRecord(Array("ipv6synth/1".utf8)) }
        #expect(throws: EvidenceRecord.ParseError.malformed("pid")) {
            try EvidenceRecord(Array("ipv6synth/1 call=x pid=99999999999999999999".utf8))
        }
        #expect(throws: EvidenceRecord.ParseError.malformed("node")) {
            try EvidenceRecord(Array("ipv6synth/1 call=x pid=1 tid=1 node=%g".utf8))
        }
    }
}
