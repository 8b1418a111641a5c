// SPDX-License-Identifier: Apache-2.0
/// How a run of the client used a port of the machine that it was given (`HostPort`).
package struct HostPortUse: Codable, Hashable, Sendable {
    package var port: HostPort
    /// All connections of the client.
    package var connections = 0
    /// Connections that the machine refused.
    package var refused = 0

    package init(_ port: HostPort) {
        self.port = port
    }
}
