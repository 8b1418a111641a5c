// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Something that happened in the daemon.
package struct Event: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case clientAttached = "client-attached"
        case clientDetached = "client-detached"
        case clientMoved = "client-moved"
        case clientRefused = "client-refused"
        case strangerOnLAN = "lan-stranger"
        case faultAdded = "fault-added"
        case faultRemoved = "fault-removed"
        case faultFired = "fault-fired"
        case prefixChanged = "prefix-changed"
        case sessionsForgotten = "sessions-forgotten"
        case reloaded
        case dropped
        /// The subscriber was too slow: this many events are missing.
        case lost
        case stopping
        /// Nothing happened; the stream is still open.
        case heartbeat
    }

    package var time: Date
    package var kind: Kind
    /// The client that the event is about.
    package var client: UInt64?
    /// One line for people.
    package var text: String
    /// The same content in pieces for programs: `reason`, `fault`, `pref64`, `count`.
    package var details: [String: String]

    package init(
        _ kind: Kind, time: Date = Date(), client: UInt64? = nil, text: String, details: [String: String] = [:]
    ) {
        self.kind = kind
        self.time = time
        self.client = client
        self.text = text
        self.details = details
    }
}
