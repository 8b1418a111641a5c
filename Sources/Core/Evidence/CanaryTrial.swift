// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A URL that a client was given to fetch in a world of canaries.
package struct CanaryTrial: Codable, Hashable, Sendable {
    /// As the client got it.
    package var url: String
    /// How the address is written or found: `IPv4-mapped (RFC 4291 §2.5.5.2)`.
    package var spelling: String
    /// The address that a client connects to if it does not recognise the embedded address; no canary answers there. `nil` for others.
    package var deadEnd: IPAddress?
    /// The path of the request by which a program reaches a canary: each trial has its own.
    package var path: String
    /// Whether the URL's host is public, so that it is to be reached.
    package var isPublic: Bool

    package init(url: String, spelling: String, deadEnd: IPAddress? = nil, path: String, isPublic: Bool = false) {
        self.url = url
        self.spelling = spelling
        self.deadEnd = deadEnd
        self.path = path
        self.isPublic = isPublic
    }
}
