/// What a server of queries spends on its clients at most.
public struct ServiceLimits: Hashable, Sendable {
    public var connections = 256
    public var connectionsPerClient = 64
    /// How long a connection may stay without a whole query (RFC 7766 §6.2.3).
    public var idleTime = Duration.seconds(10)
    /// Octets of replies that a connection may leave unread before no more of its queries are read.
    public var unreadOctets = 1 << 18
    /// Queries that the log keeps.
    public var loggedQueries = 65_536

    public init() {}
}
