// SPDX-License-Identifier: Apache-2.0
/// Which of the user's proxy variables (`http_proxy` and similar ones) the client sees in its environment.
package enum ProxyVariables: String, CaseIterable, Codable, Sendable {
    /// Only those that can refer to the simulated network.
    case world
    /// All of them.
    case keep
}
