// SPDX-License-Identifier: Apache-2.0
package import Wire

/// What a client was given to fetch in a world of canaries.
package struct CanaryTrial: Codable, Hashable, Sendable {
    /// As the client got it.
    package var url: String
    /// How the address is written or found: `IPv4-mapped (RFC 4291 §2.5.5.2)`.
    package var spelling: String
    /// Where a client goes that does not see what the address is; no canary answers there. `nil` if the spelling is of no such address.
    package var deadEnd: IPAddress?

    package init(url: String, spelling: String, deadEnd: IPAddress? = nil) {
        self.url = url
        self.spelling = spelling
        self.deadEnd = deadEnd
    }
}
