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

    init() throws {
        networks = try FakeNetworks()
        control = DaemonControl(
            simulator: networks, registry: registry, faultBook: FaultBook(networks.dns), clock: WallClock(),
            uplink: nil,
            settings: DaemonConfiguration(socketFolder: "/tmp"), version: "1.2.3")
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
    }

    @Test func `a client that is not there is not found, nor are its tables`() {
        #expect(throws: ControlError.self) { try control.client(1) }
        #expect(throws: ControlError.self) { try control.sessions(of: 1, limit: 10) }
        #expect(throws: ControlError.self) { try control.bindings(of: 1, limit: 10) }
    }

    @Test func `a client that has just gone is not listed`() throws {
        let (first, second) = (FakeConnection(), FakeConnection())
        registry.add(named: "first", first)
        registry.add(named: "second", second)
        #expect(control.clients().items.map(\.id) == [1, 2])
        #expect(try control.sessions(of: 1, limit: 10).total == 3)
        first.cut()
        #expect(control.clients().items.map(\.id) == [2])
        #expect(throws: ControlError.self) { try control.client(1) }
        #expect(throws: ControlError.self) { try control.sessions(of: 1, limit: 10) }
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

    @Test func `counters count those who have gone, and gauges do not`() {
        let connection = FakeConnection()
        connection.drop(.noRoute, 4)
        let client = registry.add(named: "x", connection)
        func value(_ name: String) -> UInt64 {
            control.counters().filter { $0.name == name }.reduce(0) { $0 + $1.value }
        }
        #expect(value("sessions") == 3)
        #expect(value("dropped_packets") == 4)
        registry.remove(client, last: connection.snapshot())
        #expect(value("sessions") == 0)
        #expect(value("dropped_packets") == 4)
    }
}
