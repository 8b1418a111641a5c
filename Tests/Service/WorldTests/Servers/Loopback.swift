// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Foundation
import LinuxNet
import NIOCore
import NIOSSL
import TestSupport
import Testing
import Topology
import Wire

@testable import ConfigurationText
@testable import World

/// A world of one host, `host.test`, at loopback addresses and ports that the kernel chooses, so that its servers run without
/// a network of their own.
enum Loopback {
    static let ipv4 = IPAddress.ipv4(IPv4Address(127, 0, 0, 1))
    static let ipv6 = IPAddress.ipv6(.loopback)

    /// `hostAddress` is what the world says of the host where that is not the address to listen at.
    static func world(
        _ kind: ServiceKind, at address: IPAddress = ipv4, port: UInt16 = 0, hostAddress: IPAddress? = nil,
        names: [String] = ["host.test"], web: WebSettings = WebSettings(), records: [ResourceRecord] = []
    ) throws -> World {
        let names = try names.map { try DomainName($0) }
        return World(
            hosts: names.map { World.Host(name: $0, addresses: [hostAddress ?? address]) },
            records: [try ResourceRecord(presentation: "alias.test CNAME \(names[0])", defaultTTL: 60)] + records,
            zones: [], forwarders: nil, validation: nil,
            services: [World.Service(kind: kind, address: address, port: port, hostNames: names, web: web)])
    }
}

/// The servers of a world with one service, and what a test needs to talk to it.
struct RunningService {
    let servers: HermeticServers
    let service: World.Service
    let port: UInt16
    let authority: CertificateAuthority

    /// The connections from this machine that have been seen so far.
    var seen: [ServedConnection] { servers.seen.seen(of: .other(service.address)).connections }

    /// The queries of this machine's clients to the resolver so far.
    var queries: [ServedQuery] { servers.seen.seen(of: .other(service.address)).queries }

    /// The connections, once neither side sends anything more.
    func seenToTheEnd() async throws -> [ServedConnection] { try await servers.seenToTheEnd(of: service.address) }

    /// Waits until all clients that have connected are served.
    func settle(within limit: Duration) async { await servers.settle(within: limit) }

    /// Opens a connection to the service.
    func connect(
        tls: TLSConfiguration? = nil, serverName: String? = nil, readsAlways: Bool = true
    ) async throws -> TestConnection {
        try await TestConnection(
            address: service.address, port: port, tls: tls, serverName: serverName, readsAlways: readsAlways)
    }

    /// Sends a request and returns the answer, one connection for it alone.
    func get(_ path: String, method: String = "GET", fields: [String] = [], body: String = "") async throws
        -> TestResponse
    {
        var head = ["\(method) \(path) HTTP/1.1", "Host: host.test", "Connection: close"] + fields
        if !body.isEmpty { head.append("Content-Length: \(body.utf8.count)") }
        return try await TestResponse(exchange(head.joined(separator: "\r\n") + "\r\n\r\n" + body))
    }

    /// Sends a text as it is, and returns all that comes until the server closes.
    func exchange(_ text: String) async throws -> String {
        let connection = try await connect()
        try await connection.send(text)
        let answer = try await connection.receiveToEnd()
        try await connection.close()
        return String(decoding: answer.readableBytesView, as: UTF8.self)
    }
}

extension HermeticServers {
    /// Waits until all clients that have connected are served. That may start a service, which needs the threads of tasks.
    func settle(within limit: Duration) async {
        await aside { [self] in _ = try? settling()?.answer(until: MonotonicClock.now() + limit) }
    }

    /// The connections from this address of this machine, once neither side sends anything more.
    func seenToTheEnd(of address: IPAddress) async throws -> [ServedConnection] {
        let limit = Duration.seconds(60)
        await settle(within: limit)
        await aside { [self] in settle(.other(address), until: MonotonicClock.now() + limit) }
        try #require(!seen.hasStanding(.other(address)), "a connection that nobody ends")
        return seen.seen(of: .other(address)).connections
    }
}

/// Runs a service for the time of `body`.
@discardableResult
func withService<Result>(
    _ kind: ServiceKind, at address: IPAddress = Loopback.ipv4, hostAddress: IPAddress? = nil,
    limit: Int = ServedConnections.limit, names: [String] = ["host.test"], web: WebSettings = WebSettings(),
    records: [ResourceRecord] = [], _ body: (RunningService) async throws -> Result
) async throws -> Result {
    let world = try Loopback.world(
        kind, at: address, hostAddress: hostAddress, names: names, web: web, records: records)
    let authority = try CertificateAuthority()
    let servers = try HermeticServers.start(
        world, records: RecordStore(world, isAlone: true), authority: authority, now: { .zero }, limit: limit)
    servers.seen.begin(.other(address), at: .zero)
    let service = world.services[0]
    let running = RunningService(
        servers: servers, service: service, port: servers.port(of: service)!, authority: authority)
    do {
        let result = try await body(running)
        await servers.stop()
        return result
    } catch {
        await servers.stop()
        throw error
    }
}

/// An HTTP response, taken apart.
struct TestResponse {
    var status: Int
    /// By lower-case name.
    var fields: [String: String] = [:]
    var body: String

    init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) } ?? 0
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { continue }
            fields[field[0].lowercased()] = String(field[1].dropFirst())
        }
        body = parts.count > 1 ? String(parts[1]) : ""
    }
}

/// Runs a program that talks to a server of this process: in a thread of its own, since those of tasks are the server's.
func runAside(_ command: [String]) async throws -> ProgramEnd {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try runToEnd(command) }) }
    }
}
