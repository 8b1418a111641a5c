// SPDX-License-Identifier: Apache-2.0
/// The bounds of everything that a client of the control API can make the daemon hold.
package enum ControlLimits {
    /// The longest fault or prefix, in octets.
    package static let maximumTextLength = 4096
    /// Entries of a table in one response, and lines of the DNS log.
    package static let maximumEntries = 10_000
    /// Entries if the request does not specify a limit.
    package static let usualEntries = 1_000
}
