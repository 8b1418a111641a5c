// SPDX-License-Identifier: Apache-2.0
/// The servers that a resolver asks for names that it does not know, and the timeouts.
package struct ForwarderConfiguration: Hashable, Sendable {
    /// Asked in turn.
    package var servers: [Endpoint]
    /// Time for a server's answer before the next one is asked.
    package var attemptTime = Duration.seconds(1)
    /// Attempts for one question, over all servers.
    package var attempts = 4
    /// Questions that may be pending at the same time: each has a socket of its own.
    package var maximumRequests = 400

    package init(servers: [Endpoint]) {
        self.servers = servers
    }
}
