// SPDX-License-Identifier: Apache-2.0
/// Whether the client's test runner may use cached results of an earlier run, which may have been on another network.
package enum TestCaches: String, CaseIterable, Codable, Sendable {
    /// The runner executes its tests, if an environment variable can force it to.
    case avoid
    /// The environment stays as it is.
    case keep
}
