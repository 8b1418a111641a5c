// SPDX-License-Identifier: Apache-2.0
/// What a run of the client did with a port of the machine's that it was given (`HostPort`).
package struct HostPortUse: Codable, Hashable, Sendable {
    package var port: HostPort
    /// All of the client's.
    package var connections = 0
    /// Those that the machine refused.
    package var refused = 0

    package init(_ port: HostPort) {
        self.port = port
    }
}
