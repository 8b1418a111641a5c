// SPDX-License-Identifier: Apache-2.0
package import Topology

/// The functions of a daemon that the control API calls. Any number of requests may be under way at once.
///
/// Limits have been applied when these are called: a text has at most `ControlLimits.maximumTextLength` octets, `limit` is from 1
/// to `ControlLimits.maximumEntries`. The daemon validates the text's meaning.
package protocol Controllable: Sendable {
    func status() async -> Status
    func readiness() async -> DaemonReadiness

    func clients() async -> Listing<ClientSummary>
    func client(_ id: UInt64) async throws(ControlError) -> ClientSummary
    func sessions(of client: UInt64, limit: Int) async throws(ControlError) -> Listing<SessionEntry>
    /// Has the client's runner move it to a network, or to `none`.
    /// - Parameter wishes: for a device.
    func moveClient(_ id: UInt64, to network: String, wishing wishes: LinkWishes) async throws(ControlError)
        -> ClientSummary
    /// Has the NAT64 forget the client's sessions.
    func forgetSessions(of client: UInt64) async throws(ControlError) -> ForgottenSessions
    func bindings(of client: UInt64, limit: Int) async throws(ControlError) -> Listing<BindingEntry>

    /// The clients of a gateway, `limit` of them at most.
    func gatewayClients(limit: Int) async throws(ControlError) -> GatewayClients

    /// Lines from number `since` on; with nil, the last `limit` ones. With `client`, only the lines of that client.
    func dnsLog(since: UInt64?, limit: Int, client: UInt64?) async -> DNSLog

    /// The counters; those of the same name are adjacent.
    func counters() async -> [Counter]

    func faults() async -> Listing<FaultEntry>
    func addFault(_ presentation: String) async throws(ControlError) -> FaultEntry
    func removeFault(_ id: UInt64) async throws(ControlError)
    func removeAllFaults() async

    func prefix() async -> PrefixSetting
    func changePrefix(to text: String) async throws(ControlError) -> PrefixSetting

    /// Events from now on; `EventHub` has all that an implementation needs.
    func events() async throws(ControlError) -> AsyncStream<Event>
}
