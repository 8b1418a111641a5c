// SPDX-License-Identifier: Apache-2.0
/// Limits for the clients of a server of queries.
package struct ServiceLimits: Hashable, Sendable {
    package var connections = 256
    package var connectionsPerClient = 64
    /// Time that a connection may stay open without a whole query (RFC 7766 §6.2.3).
    package var idleTime = Duration.seconds(10)
    /// Octets of replies that a connection may leave unread before no more of its queries are read.
    package var unreadOctets = 1 << 18
    /// If clients have links of their own: time of the server's thread that a client may use before it gets only its share; enough for some
    /// thousands of new names.
    package var advance = Duration.milliseconds(100)
    /// Queries that are kept in the log.
    package var loggedQueries = 65_536

    package init() {}
}
