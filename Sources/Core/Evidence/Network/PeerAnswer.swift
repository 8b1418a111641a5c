// SPDX-License-Identifier: Apache-2.0
/// The answer of a server under test to a client of the far side that reached it.
package struct PeerAnswer: Codable, Hashable, Sendable {
    /// Whether the client has an IPv6 address, as the server sees it.
    package var isIPv6: Bool
    /// `status 403`, `no answer`
    package var text: String
    package var isAsExpected: Bool

    package init(isIPv6: Bool, text: String, isAsExpected: Bool) {
        self.isIPv6 = isIPv6
        self.text = text
        self.isAsExpected = isAsExpected
    }
}
