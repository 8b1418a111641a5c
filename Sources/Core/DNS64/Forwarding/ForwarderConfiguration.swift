// SPDX-License-Identifier: Apache-2.0
/// The servers that a resolver asks about what it does not know, and with what timeouts.
package struct ForwarderConfiguration: Hashable, Sendable {
    /// Asked in turn.
    package var servers: [Endpoint]
    /// How long a server has for its answer before the next one is asked.
    package var attemptTime = Duration.seconds(1)
    /// Attempts for one question, over all servers.
    package var attempts = 4
    /// Questions that may be under way at once: each has a socket of its own.
    package var maximumRequests = 400

    package init(servers: [Endpoint]) {
        self.servers = servers
    }
}
