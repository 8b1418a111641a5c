// SPDX-License-Identifier: Apache-2.0
/// When a server is ready.
package enum Readiness: Codable, Hashable, Sendable {
    /// Something listens at this port that did not before.
    case tcp(UInt16)
    /// The same, and it answers with a status below 400.
    case page(PageRequest)
    /// Its output contains this.
    case log(String)
    /// There is such a file.
    case file(String)
}
