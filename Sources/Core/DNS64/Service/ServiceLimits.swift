// SPDX-License-Identifier: Apache-2.0
/// What a server of queries spends on its clients at most.
package struct ServiceLimits: Hashable, Sendable {
    package var connections = 256
    package var connectionsPerClient = 64
    /// How long a connection may stay without a whole query (RFC 7766 §6.2.3).
    package var idleTime = Duration.seconds(10)
    /// Octets of replies that a connection may leave unread before no more of its queries are read.
    package var unreadOctets = 1 << 18
    /// Where clients have links of their own, what one may take of the server's thread before it gets no more than its share: some
    /// thousands of names that nobody has asked for before.
    package var advance = Duration.milliseconds(100)
    /// Queries that the log keeps.
    package var loggedQueries = 65_536

    package init() {}
}
