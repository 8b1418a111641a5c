// SPDX-License-Identifier: Apache-2.0
import AttachServer
import LinuxNet
import RouterThread
import Testing
import Wire

@testable import Daemon

struct PathSnapshotsTests {
    @Test func `all paths have one deadline together, and one that does not answer is waited for once`() {
        let registry = Registry()
        let stuck = (0..<48).map { _ in FakeConnection() }
        for connection in stuck {
            connection.isStuck = true
            registry.add(named: "stuck", connection)
        }
        let good = registry.add(named: "good")
        var paths = PathSnapshots()
        let start = MonotonicClock.now()
        for _ in 0..<10 { paths.look(at: registry.clients) }
        #expect(MonotonicClock.now() - start < .seconds(20))
        #expect(paths.looks.count == 49)
        #expect(paths.looks.values.count(where: \.isSilent) == 48)
        #expect(paths.looks[good.id]?.last?.sessions == 3)
        #expect(stuck.allSatisfy { $0.questions == 1 })
    }

    @Test func `one that has gone is forgotten`() {
        let registry = Registry()
        let connection = FakeConnection()
        registry.add(named: "x", connection)
        var paths = PathSnapshots()
        paths.look(at: registry.clients)
        #expect(paths.looks.count == 1)
        connection.cut()
        paths.look(at: registry.clients)
        #expect(paths.looks.isEmpty)
    }
}
