// SPDX-License-Identifier: Apache-2.0
import Suites

extension RunOrder {
    /// Adds a test's servers, and makes its own server the subject.
    /// - Parameter suiteFolder: base of relative paths.
    mutating func addFixtures(for test: SuiteTest, in place: RunFolder, suiteFolder: String) {
        func order(_ server: SuiteServer) -> FixtureOrder.Server {
            let path = server.folder ?? "."
            return FixtureOrder.Server(
                name: server.name, command: server.command.arguments, environment: server.environment,
                folder: path.hasPrefix("/") ? path : "\(suiteFolder)/\(path)", log: place.logPath(of: server.name),
                ready: server.ready, within: server.within, elsewhere: server.elsewhere)
        }
        let far = test.servers.filter { $0.place != .client }
        if !far.isEmpty { worldFixtures = FixtureOrder(servers: far.map(order), isInWorld: true) }
        let near = test.servers.filter { $0.place == .client }
        guard !near.isEmpty || test.subject != nil else { return }
        var fixture = FixtureOrder(servers: near.map(order), timeout: timeout, grace: grace)
        if let subject = test.subject {
            var server = order(subject)
            server.isProbed = true
            fixture.servers.append(server)
            probes = test.probes
            isServerTest = true
        } else {
            fixture.client = command
        }
        clientFixtures = fixture
    }
}
