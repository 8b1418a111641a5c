// SPDX-License-Identifier: Apache-2.0
/// The two links of a router.
package enum Link: Hashable, Sendable {
    /// The one with the clients.
    case client
    /// The one that leads to everybody else.
    case world

    package var other: Link { self == .client ? .world : .client }
}
