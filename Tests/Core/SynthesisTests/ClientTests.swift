// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The sample clients: each mistake made and avoided, in C and in Swift, on an IPv6-only and on a dual-stack host.
@Suite("Sample clients", .enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct ClientTests {
    struct Client: CustomTestStringConvertible, Sendable {
        var c: String
        var swift: String
        /// The host to reach: a literal, or a name if the client is about names.
        var node = "198.51.100.10"
        var testDescription: String { c }
    }

    static let clients = [
        Client(c: "getaddrinfo_loop", swift: "GetaddrinfoLoop"),
        Client(c: "inet_addr", swift: "InetAddr"),
        Client(c: "gethostbyname", swift: "Gethostbyname", node: "shop.test"),
        Client(c: "af_inet_hints", swift: "AFInetHints"),
        Client(c: "numeric_host", swift: "NumericHost"),
        Client(c: "sockaddr_length", swift: "SockaddrLength"),
        Client(c: "host_port", swift: "HostPort"),
    ]

    /// The far side of a NAT64, as far as one address goes, is an address of the host's own.
    static let ipv6Only = Host(addresses: ["2e00:2:0:1::2/64", "64:ff9b::c633:640a/128"])
    static let dualStack = Host(addresses: ["2e00:2:0:1::2/64", "198.51.100.10/32"])

    private func build(_ client: Client, inSwift: Bool, works: Bool) throws -> String {
        let version = works ? "works" : "fails"
        if inSwift {
            let sources = Toolchain.clients
            let define = works ? ["-D", "WORKS_EVERYWHERE"] : []
            return try Toolchain.build(
                sources.appending(path: client.swift + ".swift"), as: "\(client.swift)-\(version)",
                with: ["swiftc", "-parse-as-library"] + define,
                flags: [sources.appending(path: "Connection.swift").path])
        }
        return try Toolchain.build(
            Toolchain.clients.appending(path: client.c + ".c"), as: "\(client.c)-\(version)",
            with: ["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-DWORKS_EVERYWHERE=\(works ? 1 : 0)"])
    }

    private func run(_ program: String, _ client: Client, on host: Host, hosts: String, prefixes: String) throws
        -> ProgramEnd
    {
        var host = host
        host.hosts = "::1 localhost\n" + hosts
        host.companion = [try Toolchain.helper("greeter"), "8080"]
        return try host.run(
            [program, client.node, "8080"], preload: [try Toolchain.shim.get()],
            environment: ["IPV6CHECK_PREF64": prefixes])
    }

    @Test(arguments: clients, [false, true])
    func `The mistake costs the connection on an IPv6-only network and nowhere else`(
        client: Client, inSwift: Bool
    ) throws {
        for works in [true, false] {
            let program = try build(client, inSwift: inSwift, works: works)
            // DNS64 gives the name an IPv6 address; the IPv4 one stays.
            let names = "64:ff9b::c633:640a shop.test\n198.51.100.10 shop.test\n"
            let here = try run(program, client, on: Self.ipv6Only, hosts: names, prefixes: "64:ff9b::/96")
            #expect(here.status == (works ? 0 : 1), "\(here.standardError)")
            #expect(here.text == (works ? "welcome\n" : ""))

            let there = try run(
                program, client, on: Self.dualStack, hosts: "198.51.100.10 shop.test\n", prefixes: "none")
            #expect(there.status == 0, "\(there.standardError)")
            #expect(there.text == "welcome\n")
        }
    }
}
