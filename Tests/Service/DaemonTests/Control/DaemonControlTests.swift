// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Control
import Evidence
import FoundationEssentials
import LinuxNet
import Testing
import Translation

@testable import Daemon

struct DaemonControlTests {
    private let networks: FakeNetworks
    private let registry = Registry()
    private let control: DaemonControl

    /// A control whose wall clock was set a year before the system's present time, as if the system's clock had been changed since.
    init() throws {
        networks = try FakeNetworks()
        control = DaemonControl(
            simulator: networks, registry: registry, watch: try Watch(networks.dns, registry, signs: Signs()),
            faultBook: FaultBook(networks.dns),
            clock: WallClock(at: MonotonicClock.wallTime() - 365 * 86_400_000_000_000),
            uplink: nil,
            settings: DaemonConfiguration(socketFolder: "/tmp"), version: "1.2.3", hostAddresses: [])
    }

    @Test func `the status counts the clients of each network`() {
        for network in ["nat64", "nat64", "dual-stack"] {
            registry.add(named: "x", FakeConnection(network: .init(rawValue: network)!))
        }
        let status = control.status()
        #expect(status.version == "1.2.3")
        #expect(status.networks.first { $0.name == "nat64" }?.clients == 2)
        #expect(status.networks.first { $0.name == "dual-stack" }?.clients == 1)
        #expect(status.limits.clients == 2)
        #expect((0..<3600).contains(status.uptime), "the time since its start, whatever became of the system's clock")
    }

    @Test func `a client that is not there is not found, nor are its tables`() async {
        await #expect(throws: ControlError.self) { try await control.client(1) }
        await #expect(throws: ControlError.self) { try await control.sessions(of: 1, limit: 10) }
        await #expect(throws: ControlError.self) { try await control.bindings(of: 1, limit: 10) }
    }

    @Test func `a client that has just gone is not listed`() async throws {
        let (first, second) = (FakeConnection(), FakeConnection())
        registry.add(named: "first", first)
        registry.add(named: "second", second)
        #expect(await control.clients().items.map(\.id) == [1, 2])
        #expect(try await control.sessions(of: 1, limit: 10).total == 3)
        first.cut()
        #expect(await control.clients().items.map(\.id) == [2])
        await #expect(throws: ControlError.self) { try await control.client(1) }
        await #expect(throws: ControlError.self) { try await control.sessions(of: 1, limit: 10) }
    }

    @Test func `a prefix is changed, unless it is none or the network cannot have it`() throws {
        #expect(throws: ControlError.self) { try control.changePrefix(to: "64:ff9b::/97") }
        #expect(throws: ControlError.self) { try control.changePrefix(to: "\(FakeNetworks.unwanted)") }
        #expect(networks.newPrefix == nil)
        _ = try control.changePrefix(to: "2001:db8::/96")
        #expect(networks.newPrefix == (try Pref64("2001:db8::/96")))
    }

    @Test func `faults are added and removed by number, and told`() async throws {
        let stream = try registry.events.subscribe()
        #expect(throws: ControlError.self) { try control.addFault("nonsense") }
        let entry = try control.addFault("rcode SERVFAIL")
        #expect(control.faults().items.map(\.id) == [entry.id])
        try control.removeFault(entry.id)
        #expect(throws: ControlError.self) { try control.removeFault(entry.id) }
        let events = await collect(stream, registry)
        #expect(events.map(\.kind) == [.faultAdded, .faultRemoved])
    }

    @Test func `counters count those who have gone, and gauges do not`() async {
        let connection = FakeConnection()
        connection.drop(.noRoute, 4)
        let client = registry.add(named: "x", connection)
        func value(_ name: String) async -> UInt64 {
            await control.counters().filter { $0.name == name }.reduce(0) { $0 + $1.value }
        }
        #expect(await value("sessions") == 3)
        #expect(await value("dropped_packets") == 4)
        registry.remove(client, last: connection.now)
        #expect(await value("sessions") == 0)
        #expect(await value("dropped_packets") == 4)
    }

    @Test func `a client whose packet path does not answer is shown as that`() async throws {
        let (stuck, other) = (FakeConnection(), FakeConnection())
        registry.add(named: "stuck", stuck)
        registry.add(named: "other", other)
        #expect(await control.clients().items.map(\.responding) == [true, true])
        stuck.isStuck = true
        let clients = await control.clients().items
        #expect(clients.map(\.responding) == [false, true])
        #expect(clients.map(\.sessions) == [3, 3])
        #expect(control.readiness().state == .notReady)
        #expect(control.readiness().waitingFor.contains("the packet path of client 1 (stuck)"))
        #expect(control.status().networks.first { $0.name == "nat64" }?.clients == 2)
        #expect(await control.counters().first { $0.name == "sessions" }?.value == 6)
        await #expect(throws: ControlError(.unavailable, "the packet path of client 1 does not answer")) {
            try await control.sessions(of: 1, limit: 10)
        }
    }
}
