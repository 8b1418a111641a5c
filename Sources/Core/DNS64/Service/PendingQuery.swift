// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// The origin of a message, its time, and its ticket for the reply.
struct Arrival: Sendable {
    var client: Endpoint
    var transport: Transport
    var ticket: UInt64
    var time: Instant
}

/// A query that has no answer yet.
struct PendingQuery: Sendable {
    let message: Message
    let arrival: Arrival
    let policy: SynthesisPolicy
    let effects: [Fault.Effect]
    var resolution: Resolution
    /// The progress of its current look-up.
    var lookUp: AliasChain
    /// The failures of forwarders that were asked for it.
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
