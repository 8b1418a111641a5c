// SPDX-License-Identifier: Apache-2.0
/// The two links of a router.
package enum Link: Hashable, Sendable {
    /// The link of the clients.
    case client
    /// The link to all other hosts.
    case world

    package var other: Link { self == .client ? .world : .client }
}
