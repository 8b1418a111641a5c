// SPDX-License-Identifier: Apache-2.0
import DNS64
import Testing
import Wire

@testable import ConfigurationText
@testable import World

@Suite("Starting the servers of a world", .timeLimit(.minutes(5))) struct StartTests {
    @Test func `a port that is taken is told with host, address and port`() async throws {
        try await withService(.http) { first in
            let world = try Loopback.world(.tcpEcho, port: first.port)
            let authority = try CertificateAuthority()
            #expect {
                _ = try HermeticServers.start(
                    world, records: RecordStore([]), authority: authority, now: { .zero })
            } throws: { error in
                "\(error)"
                    == "cannot offer tcp-echo of host.test. at 127.0.0.1 port \(first.port): Address already in use"
            }
        }
    }

    @Test func `an address that is not there is told`() async throws {
        let world = try Loopback.world(.udpEcho, at: IPAddress("198.51.100.1")!)
        let authority = try CertificateAuthority()
        #expect {
            _ = try HermeticServers.start(
                world, records: RecordStore([]), authority: authority, now: { .zero })
        } throws: { error in
            "\(error)".hasSuffix(" at 198.51.100.1 port 0: Cannot assign requested address")
        }
    }

    @Test func `a stopped server leaves its port to others`() async throws {
        // An address of this test alone: its ports are taken only by servers that listen at all addresses.
        let address = try #require(IPAddress("127.7.7.7"))
        func start(_ port: UInt16) throws -> (servers: HermeticServers, port: UInt16) {
            let world = try Loopback.world(.tcpEcho, at: address, port: port)
            let servers = try HermeticServers.start(
                world, records: RecordStore([]), authority: CertificateAuthority(), now: { .zero })
            return (servers, try #require(servers.port(of: world.services[0])))
        }
        for attempt in 1...20 {
            let (first, port) = try start(0)
            await first.stop()
            do {
                let (second, same) = try start(port)
                #expect(same == port)
                await second.stop()
                return
            } catch {
                // Another process took the port first, but not in every attempt.
                try #require(attempt < 20 && "\(error)".hasSuffix("Address already in use"), "\(error)")
            }
        }
    }
}
