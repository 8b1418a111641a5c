// SPDX-License-Identifier: Apache-2.0
import Suites

extension RunOrder {
    /// Adds what serves, and makes the test's own server the subject.
    /// - Parameter suiteFolder: where relative paths begin.
    mutating func addStages(for test: SuiteTest, in place: RunFolder, suiteFolder: String) {
        func order(_ server: SuiteServer) -> StageOrder.Server {
            let path = server.folder ?? "."
            return StageOrder.Server(
                name: server.name, command: server.command.arguments, environment: server.environment,
                folder: path.hasPrefix("/") ? path : "\(suiteFolder)/\(path)", log: place.logPath(of: server.name),
                ready: server.ready, within: server.within)
        }
        let far = test.servers.filter { $0.place != .client }
        if !far.isEmpty { worldStage = StageOrder(servers: far.map(order), isInWorld: true) }
        let near = test.servers.filter { $0.place == .client }
        guard !near.isEmpty || test.subject != nil else { return }
        var stage = StageOrder(servers: near.map(order), timeout: timeout, grace: grace)
        if let subject = test.subject {
            stage.servers.append(order(subject))
            probes = test.probes
            isServerTest = true
        } else {
            stage.client = command
        }
        clientStage = stage
    }
}
