// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1
package import Topology

/// A client of a daemon's control API. Each call makes a connection of its own.
package struct ControlClient: Sendable {
    let socket: String
    let timeout: Duration

    /// - Parameter timeout: The timeout for each answer of the daemon.
    package init(socket: String, timeout: Duration = .seconds(10)) {
        self.socket = socket
        self.timeout = timeout
    }

    package func status() async throws(ControlClientError) -> Status { try await get("/v1/status") }

    package func clients() async throws(ControlClientError) -> Listing<ClientSummary> { try await get("/v1/clients") }

    package func gatewayClients(limit: Int) async throws(ControlClientError) -> GatewayClients {
        try await get("/v1/gateway/clients?limit=\(limit)")
    }

    package func sessions(of client: UInt64, limit: Int) async throws(ControlClientError) -> Listing<SessionEntry> {
        try await get("/v1/clients/\(client)/sessions?limit=\(limit)")
    }

    package func moveClient(
        _ id: UInt64, to network: String, wishing wishes: LinkWishes = LinkWishes()
    ) async throws(ControlClientError) -> ClientSummary {
        try understood(await exchange(.PUT, "/v1/clients/\(id)/network", WantedNetwork(network: network, wishes)))
    }

    package func forgetSessions(of client: UInt64) async throws(ControlClientError) -> ForgottenSessions {
        try understood(await exchange(.DELETE, "/v1/clients/\(client)/sessions"))
    }

    package func bindings(of client: UInt64, limit: Int) async throws(ControlClientError) -> Listing<BindingEntry> {
        try await get("/v1/clients/\(client)/bindings?limit=\(limit)")
    }

    package func dnsLog(since: UInt64?, limit: Int, client: UInt64?) async throws(ControlClientError) -> DNSLog {
        let parameters = [since.map { "since=\($0)" }, client.map { "client=\($0)" }, "limit=\(limit)"]
        return try await get("/v1/dns-log?" + parameters.compactMap(\.self).joined(separator: "&"))
    }

    package func counters() async throws(ControlClientError) -> Listing<Counter> { try await get("/v1/counters") }

    package func faults() async throws(ControlClientError) -> Listing<FaultEntry> { try await get("/v1/faults") }

    package func addFault(_ presentation: String) async throws(ControlClientError) -> FaultEntry {
        try understood(await exchange(.POST, "/v1/faults", NewFault(fault: presentation)))
    }

    package func removeFault(_ id: UInt64) async throws(ControlClientError) {
        _ = try await exchange(.DELETE, "/v1/faults/\(id)")
    }

    package func removeAllFaults() async throws(ControlClientError) {
        _ = try await exchange(.DELETE, "/v1/faults")
    }

    package func prefix() async throws(ControlClientError) -> PrefixSetting { try await get("/v1/prefix") }

    package func changePrefix(to text: String) async throws(ControlClientError) -> PrefixSetting {
        try understood(await exchange(.PUT, "/v1/prefix", PrefixSetting(pref64: text)))
    }

    private func get<Answer: Decodable>(_ target: String) async throws(ControlClientError) -> Answer {
        try understood(await exchange(.GET, target))
    }

    func understood<Answer: Decodable>(_ body: [UInt8]) throws(ControlClientError) -> Answer {
        do {
            return try JSONText.decode(Answer.self, from: body)
        } catch {
            throw .notUnderstood(socket: socket)
        }
    }
}
