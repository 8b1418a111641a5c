public import FoundationEssentials

/// Something that happened in the daemon.
public struct Event: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case clientAttached = "client-attached"
        case clientDetached = "client-detached"
        case clientRefused = "client-refused"
        case faultAdded = "fault-added"
        case faultRemoved = "fault-removed"
        case faultFired = "fault-fired"
        case prefixChanged = "prefix-changed"
        case reloaded
        case dropped
        /// The subscriber was too slow: so many events are missing here.
        case lost
        case stopping
        /// Nothing happened; the stream still stands.
        case heartbeat
    }

    public var time: Date
    public var kind: Kind
    /// The client that it is about.
    public var client: UInt64?
    /// One line for people.
    public var text: String
    /// The same in pieces for programs: `reason`, `fault`, `pref64`, `count`.
    public var details: [String: String]

    public init(
        _ kind: Kind, time: Date = Date(), client: UInt64? = nil, text: String, details: [String: String] = [:]
    ) {
        self.kind = kind
        self.time = time
        self.client = client
        self.text = text
        self.details = details
    }
}
