// SPDX-License-Identifier: Apache-2.0
/// Which of the user's proxy variables, `http_proxy` and its kin, the client finds in its environment.
package enum ProxyVariables: String, CaseIterable, Codable, Sendable {
    /// Those that can only mean the simulated network.
    case world
    /// All.
    case keep
}
