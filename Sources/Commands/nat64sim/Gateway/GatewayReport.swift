// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import ConfigurationText
import Control
import Diagnosis
import LinuxNet
import Suites
import Terminal
import Text

/// The report of a gateway for a gate: all clients with their findings, and the exit code.
struct GatewayReport: Encodable {
    let schema = 1
    let tool = "nat64sim gateway"
    let version = ProgramVersion.current
    let exitCode: Int32
    let clients: [GatewayClient]
    /// The number of clients whose data was dropped in favour of others.
    let forgottenClients: Int

    /// The baseline of accepted findings, and the lowest severity that fails the gate.
    struct Gate {
        var level: Severity
        var baseline: Baseline?
    }

    init(_ seen: GatewayClients, names: ClientNames, gate: Gate) {
        let clients = names.named(seen.items).map { gate.judged($0) }
        let isRed = clients.contains { client in client.findings.contains(where: gate.isRed) }
        self.clients = clients
        forgottenClients = seen.forgotten
        // A gateway without clients has shown nothing.
        exitCode = isRed ? ExitStatus.noSuccess.rawValue : clients.isEmpty ? ExitStatus.nothingToRun.rawValue : 0
    }

    /// The last line of a run.
    var summary: String {
        let findings = clients.flatMap(\.findings)
        let accepted = findings.count { $0.isAccepted == true }
        if clients.isEmpty { return "no client sent anything" }
        return "\(counted(clients.count, "client")), \(counted(findings.count, "finding"))"
            + (accepted > 0 ? ", \(accepted) of them accepted" : "")
            + (forgottenClients > 0 ? "; \(counted(forgottenClients, "client")) forgotten" : "")
    }

    /// The baseline entries that would turn the gate green.
    var dependencies: [Dependency] {
        clients.flatMap { client in client.findings.map { Dependency($0, of: client) } }
    }
}

extension GatewayReport.Gate {
    fileprivate func judged(_ client: GatewayClient) -> GatewayClient {
        guard let baseline else { return client }
        var client = client
        for index in client.findings.indices {
            client.findings[index].isAccepted = baseline.contains(Dependency(client.findings[index], of: client))
        }
        return client
    }

    fileprivate func isRed(_ finding: GatewayFinding) -> Bool {
        let weights = Severity.allCases.map(\.rawValue)
        guard let own = weights.firstIndex(of: finding.severity), let wanted = weights.firstIndex(of: level.rawValue)
        else { return true }
        return own <= wanted && finding.isAccepted != true
    }
}

extension Dependency {
    /// A client without a name is identified by its address, which may belong to another client in the next run.
    fileprivate init(_ finding: GatewayFinding, of client: GatewayClient) {
        self.init(rule: finding.rule, test: "gateway", program: client.name ?? client.address, target: finding.target)
    }
}
