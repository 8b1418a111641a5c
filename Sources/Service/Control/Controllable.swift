// SPDX-License-Identifier: Apache-2.0
package import Topology

/// What the control API asks of a daemon. Any number of requests may be under way at once.
///
/// Limits have been applied when these are called: a text has at most `ControlLimits.maximumTextLength` octets, `limit` is from 1
/// to `ControlLimits.maximumEntries`. What the text means is for the daemon to judge.
package protocol Controllable: Sendable {
    func status() async -> Status
    func readiness() async -> DaemonReadiness

    func clients() async -> Listing<ClientSummary>
    func client(_ id: UInt64) async throws(ControlError) -> ClientSummary
    func sessions(of client: UInt64, limit: Int) async throws(ControlError) -> Listing<SessionEntry>
    /// Has the client's runner move it to a network, or to `none`.
    /// - Parameter wishes: of a device.
    func moveClient(_ id: UInt64, to network: String, wishing wishes: LinkWishes) async throws(ControlError)
        -> ClientSummary
    /// Has the NAT64 forget the client's sessions.
    func forgetSessions(of client: UInt64) async throws(ControlError) -> ForgottenSessions
    func bindings(of client: UInt64, limit: Int) async throws(ControlError) -> Listing<BindingEntry>

    /// The clients of a gateway, `limit` of them at most.
    func gatewayClients(limit: Int) async throws(ControlError) -> GatewayClients

    /// Lines from number `since` on; with nil, the last `limit` ones. With `client`, only of that one.
    func dnsLog(since: UInt64?, limit: Int, client: UInt64?) async -> DNSLog

    /// Counters of the same name stand together.
    func counters() async -> [Counter]

    func faults() async -> Listing<FaultEntry>
    func addFault(_ presentation: String) async throws(ControlError) -> FaultEntry
    func removeFault(_ id: UInt64) async throws(ControlError)
    func removeAllFaults() async

    func prefix() async -> PrefixSetting
    func changePrefix(to text: String) async throws(ControlError) -> PrefixSetting

    /// Events from now on; `EventHub` has all that it takes.
    func events() async throws(ControlError) -> AsyncStream<Event>
}
