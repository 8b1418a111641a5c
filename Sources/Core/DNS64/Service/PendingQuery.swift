// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// Where a message came from, when, and the way back.
struct Arrival: Sendable {
    var client: Endpoint
    var transport: Transport
    var ticket: UInt64
    var time: Instant
}

/// A query on its way to its answer.
struct PendingQuery: Sendable {
    let message: Message
    let arrival: Arrival
    let policy: SynthesisPolicy
    let effects: [Fault.Effect]
    var resolution: Resolution
    /// How far the look-up that it wants has come.
    var lookUp: AliasChain
    /// What forwarders did that did not answer.
    var failures: [ForwarderFailure] = []

    var dnssecOK: Bool { message.edns?.dnssecOK ?? false }
    var checkingDisabled: Bool { message.flags.contains(.checkingDisabled) }
}

/// A reply that a fault holds back.
struct DelayedReply: Sendable {
    var due: Instant
    var octets: [UInt8]
    var arrival: Arrival
}
