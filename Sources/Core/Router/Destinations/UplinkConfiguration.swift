// SPDX-License-Identifier: Apache-2.0
/// How clients use the host's network.
package struct UplinkConfiguration: Hashable, Sendable {
    /// Whether a name's own AAAA records are ignored, and IPv6 addresses synthesised from its A records.
    package enum IgnoredAAAA: String, CaseIterable, Hashable, Sendable {
        /// If the host has no IPv6 that the clients can use.
        case auto
        case always
        case never
    }

    /// Destinations that may be reached although they are not part of the public Internet.
    package var allow: [AllowedEntry] = []
    package var ignoredAAAA = IgnoredAAAA.auto

    /// Maximum number of entries of `allow`.
    package static let maximumEntries = 256

    package init(allow: [AllowedEntry] = [], ignoredAAAA: IgnoredAAAA = .auto) {
        self.allow = allow
        self.ignoredAAAA = ignoredAAAA
    }
}
