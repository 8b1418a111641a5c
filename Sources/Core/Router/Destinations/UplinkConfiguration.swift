// SPDX-License-Identifier: Apache-2.0
/// How the host's network is to be used.
package struct UplinkConfiguration: Hashable, Sendable {
    /// Whether a name's own AAAA records are passed over, and IPv6 addresses synthesised from its A records.
    package enum IgnoredAAAA: String, CaseIterable, Hashable, Sendable {
        /// Where the host has no IPv6 that the clients can use.
        case auto
        case always
        case never
    }

    /// What may be reached although it is not of the public Internet.
    package var allow: [AllowedEntry] = []
    package var ignoredAAAA = IgnoredAAAA.auto

    /// As many entries of `allow` as are taken.
    package static let maximumEntries = 256

    package init(allow: [AllowedEntry] = [], ignoredAAAA: IgnoredAAAA = .auto) {
        self.allow = allow
        self.ignoredAAAA = ignoredAAAA
    }
}
