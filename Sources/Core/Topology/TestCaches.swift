// SPDX-License-Identifier: Apache-2.0
/// Whether a test runner of the client may take results of an earlier run from its cache, which may be one on another network.
package enum TestCaches: String, CaseIterable, Codable, Sendable {
    /// It runs its tests, as far as a variable of its environment can make it.
    case avoid
    /// The environment stays as it is.
    case keep
}
