// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Topology

@testable import SuiteRunner

/// Which of the programs of a run is the client, where others start before it.
@Suite struct FixtureProgramsTests {
    private static let fixture = TracedProgram(
        process: 2, executable: "/usr/bin/ipv6check", arguments: ["/proc/self/exe", "__fixture", "5", "4"])
    private static let programs = [
        fixture, TracedProgram(process: 3, parent: 0, executable: "/bin/sh", arguments: ["sh", "-c", "cd"]),
        TracedProgram(process: 3, parent: 1, executable: "/usr/bin/redis-server"),
        // Forked by the fixture, before it is the client.
        TracedProgram(
            process: 4, parent: 0, executable: "/usr/bin/ipv6check",
            arguments: ["/proc/self/exe", "__fixture", "5", "4"]),
        TracedProgram(process: 4, parent: 3, executable: "/bin/sh"),
        TracedProgram(process: 4, parent: 4, executable: "/usr/bin/python3"),
        TracedProgram(process: 5, parent: 2, executable: "/usr/bin/redis-child"),
    ]

    private func run(isServerTest: Bool = false, hasFixture: Bool = true) throws -> FixturedRun {
        var order = RunOrder(
            command: ["sh"], folder: "/", network: .nat64, timeout: .seconds(1), grace: .zero,
            request: NetworkRequest(),
            simulator: "own")
        if hasFixture {
            order.clientFixtures = FixtureOrder()
        } else {
            order.worldFixtures = FixtureOrder(isInWorld: true)
        }
        order.isServerTest = isServerTest
        return try #require(try FixturedRun(order, environment: []))
    }

    @Test func `it is the last that the fixture started`() throws {
        #expect(try run().client(among: Self.programs) == 4)
        #expect(try run().client(among: [Self.fixture]) == nil)
    }

    @Test func `a server under test is what its shell has become`() throws {
        let programs = Array(Self.programs.prefix(3))
        #expect(try run(isServerTest: true).client(among: programs) == 2)
        #expect(try run(isServerTest: true).client(among: Array(programs.prefix(2))) == nil)
    }

    @Test func `and without a fixture the first`() throws {
        #expect(try run(hasFixture: false).client(among: [TracedProgram(process: 2, executable: "/client")]) == 0)
    }
}
