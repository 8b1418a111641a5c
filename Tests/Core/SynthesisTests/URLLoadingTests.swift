// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import TestSupport
import Testing

/// Apple's URL loading, which the shim performs for libcurl within Foundation: its callers, and the resulting socket. A small program with
/// two libraries replaces these; the end-to-end tests use the real ones.
@Suite("URL loading", .enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct URLLoadingTests {
    private static let source = Toolchain.helpers.appending(path: "url_loading.c")
    private static let compiler = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-O1"]

    /// The program with its libraries, in a folder of their own: their names are those of the real ones.
    private static let program = Result {
        let shared = ["-shared", "-fPIC"]
        let libcurl = try Toolchain.build(
            source, as: "url-loading/libcurl.so.4", with: compiler,
            flags: shared + ["-DLIBCURL", "-Wl,-soname,libcurl.so.4"])
        let foundation = try Toolchain.build(
            source, as: "url-loading/libFoundationNetworking.so", with: compiler,
            flags: shared + [
                "-DFOUNDATION", libcurl, "-Wl,-soname,libFoundationNetworking.so", "-Wl,-rpath,$ORIGIN",
            ])
        return try Toolchain.build(
            source, as: "url-loading/program", with: compiler, flags: [foundation, libcurl] + loading)
    }

    /// Every Swift program has the unwinder's library loaded.
    private static let loading = ["-Wl,-rpath,$ORIGIN", "-Wl,--no-as-needed", "-lgcc_s"]

    private static let ipv6Only = Host(addresses: [
        "2e00:2:0:1::2/64", "64:ff9b::c633:640a/128", "2001:db8:64::c633:640a/128",
    ])
    private static let wkp = "64:ff9b::/96"

    private func load(
        by caller: String = "foundation", _ host: String = "198.51.100.10", variant: String = "plain",
        program: String? = nil, on machine: Host = ipv6Only, prefixes: String = wkp, urlLoading: String? = "apple"
    ) throws -> [String] {
        var machine = machine
        machine.companion = [try Toolchain.helper("greeter"), "8080"]
        let socket = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: socket) }
        var environment = [
            "IPV6CHECK_GETADDRINFO": "linux", "IPV6CHECK_PREF64": prefixes, "IPV6CHECK_EVIDENCE": socket,
        ]
        environment["IPV6CHECK_URL_LOADING"] = urlLoading
        let outcome = try machine.run(
            [program ?? Self.program.get(), caller, host, "8080", variant], preload: [try Toolchain.shim.get()],
            environment: environment
        ).successful()
        return outcome.text.split(separator: "\n").map(String.init)
    }

    private static let asOnLinux = ["connect=ENETUNREACH", "peer=none"]

    @Test
    func `libcurl within Foundation gets a connection to the synthesised address, and the runner is told`() throws {
        let lines = try load()
        #expect(lines.prefix(3) == ["connect=EINPROGRESS", "peer=64:ff9b::c633:640a", "greeting=welcome"])
        try #require(lines.count == 4)
        let record = try EvidenceRecord(Array(lines[3].utf8))
        #expect(record.call == "connect" && record.node == "198.51.100.10" && record.service == "8080")
        #expect(record.result == 0 && record.answers == ["64:ff9b::c633:640a"] && record.synthesised == 1)
        #expect(record.why == "literal" && record.module?.hasSuffix("/libcurl.so.4") == true)
    }

    @Test(arguments: [nil, "linux", "Apple", ""])
    func `It is not done where it is not asked for`(urlLoading: String?) throws {
        #expect(try load(urlLoading: urlLoading) == Self.asOnLinux)
    }

    @Test(arguments: ["own", "direct"])
    func `A program that calls libcurl itself, or connects itself, gets nothing, Foundation beside it or not`(
        caller: String
    ) throws {
        #expect(try load(by: caller) == Self.asOnLinux)
    }

    /// -static-stdlib puts Foundation into the executable.
    @Test
    func `Foundation in the executable is known by its symbols, and without them nothing is done`() throws {
        let name = "url-loading/together"
        let program = try Toolchain.build(
            Self.source, as: name, with: Self.compiler, flags: ["-DTOGETHER"] + Self.loading)
        let stripped = try Toolchain.build(
            Self.source, as: name + "-stripped", with: Self.compiler, flags: ["-DTOGETHER", "-s"] + Self.loading)
        #expect(try load(program: program).contains("peer=64:ff9b::c633:640a"))
        for caller in ["own", "direct"] { #expect(try load(by: caller, program: program) == Self.asOnLinux) }
        #expect(try load(program: stripped) == Self.asOnLinux)
    }

    @Test
    func `An address that was not read as text is a name's, and is left alone`() throws {
        #expect(try load(variant: "unread") == Self.asOnLinux)
    }

    @Test(arguments: [("64:ff9b::/96", "10.0.0.1"), ("64:ff9b::/96", "192.0.0.1"), ("none", "198.51.100.10")])
    func `What Apple's getaddrinfo does not synthesise is left alone, and the reason is told`(
        prefixes: String, host: String
    ) throws {
        let lines = try load(host, prefixes: prefixes)
        #expect(lines.prefix(2) == Self.asOnLinux[...])
        let record = try EvidenceRecord(Array(try #require(lines.dropFirst(2).first).utf8))
        #expect(record.why == (prefixes == "none" ? "no-pref64" : "excluded") && record.synthesised == 0)
    }

    @Test
    func `Of several prefixes the first that may carry the address is taken`() throws {
        let own = "2001:db8:64::/96"
        #expect(try load(prefixes: "\(own),\(Self.wkp)").contains("peer=2001:db8:64::c633:640a"))
        let machine = Host(addresses: ["2e00:2:0:1::2/64", "2001:db8:64::a00:1/128"])
        let lines = try load("10.0.0.1", on: machine, prefixes: "\(Self.wkp),\(own)")
        #expect(lines.contains("peer=2001:db8:64::a00:1"))
    }

    @Test
    func `Where there is a route the connection is IPv4's`() throws {
        let machine = Host(addresses: ["2e00:2:0:1::2/64", "198.51.100.10/32", "64:ff9b::c633:640a/128"])
        let lines = try load(on: machine)
        #expect(lines.first == "connect=EINPROGRESS" && lines.contains("peer=none"), "its peer is no IPv6 address")
        #expect(lines.last == "greeting=welcome")
        // The loopback's own.
        #expect(try load("127.0.0.1").last == "greeting=welcome")
    }

    @Test
    func `Options and flags go along, what is said of IPv4 as what it is for IPv6`() throws {
        let lines = try load(variant: "options")
        #expect(
            lines.contains(
                "nodelay=1 keepalive=1 idle=33 timeout=4444 class=0x10 cloexec=1 nonblocking=1"))
        #expect(lines.contains("greeting=welcome"))
    }

    @Test
    func `A socket that was watched before is watched no longer`() throws {
        let lines = try load(variant: "watched")
        #expect(lines.contains("greeting=welcome") && lines.contains("watched=0"))
    }

    @Test(arguments: ["bound", "blocking"])
    func `A socket that is bound or blocking is left alone`(variant: String) throws {
        let lines = try load(variant: variant)
        #expect(lines.first?.hasPrefix("connect=E") == true && lines.first != "connect=EINPROGRESS")
        #expect(lines.contains("peer=none") && lines.count == 2)
    }

    @Test
    func `Without a descriptor to be had, connect says what it says without us`() throws {
        #expect(try load(variant: "exhausted").prefix(2) == Self.asOnLinux[...])
    }

    @Test
    func `Where IPv6 has no route either, connect says what it says of IPv4`() throws {
        let machine = Host(addresses: ["192.0.2.77/24"], hasIPv6Loopback: false)
        let lines = try load(on: machine)
        #expect(lines.prefix(2) == Self.asOnLinux[...])
        #expect(try EvidenceRecord(Array(try #require(lines.last).utf8)).why == "failed")
    }
}
