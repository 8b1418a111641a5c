// SPDX-License-Identifier: Apache-2.0
/// A condition for a server to be ready.
package enum Readiness: Codable, Hashable, Sendable {
    /// A new listener on this port.
    case tcp(UInt16)
    /// A new listener on this port that answers with a status below 400.
    case page(PageRequest)
    /// Its output contains this.
    case log(String)
    /// This file exists.
    case file(String)
}
