/// Whom a resolver asks about what it does not know, and how patiently.
public struct ForwarderConfiguration: Hashable, Sendable {
    /// Asked in turn.
    public var servers: [Endpoint]
    /// How long a server has for its answer before the next one is asked.
    public var attemptTime = Duration.seconds(1)
    /// Attempts for one question, over all servers.
    public var attempts = 4
    /// Questions that may be under way at once: each has a socket of its own.
    public var mostRequests = 400

    public init(servers: [Endpoint]) {
        self.servers = servers
    }
}
