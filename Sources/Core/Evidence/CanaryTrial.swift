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
    /// The path of the request with which a program ends up at a canary: each trial has one of its own.
    package var path: String
    /// Whether the URL is of a public host, which is to be reached.
    package var isPublic: Bool

    package init(url: String, spelling: String, deadEnd: IPAddress? = nil, path: String, isPublic: Bool = false) {
        self.url = url
        self.spelling = spelling
        self.deadEnd = deadEnd
        self.path = path
        self.isPublic = isPublic
    }
}
