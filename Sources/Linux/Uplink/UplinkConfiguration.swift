/// How the host's network is to be used.
public struct UplinkConfiguration: Hashable, Sendable {
    /// Whether a name's own AAAA records are passed over, and IPv6 addresses synthesised from its A records.
    public enum IgnoredAAAA: String, CaseIterable, Hashable, Sendable {
        /// Where the host has no IPv6 that the clients can use.
        case auto
        case always
        case never
    }

    /// What may be reached although it is not of the public Internet.
    public var allow: [AllowedEntry] = []
    public var ignoredAAAA = IgnoredAAAA.auto

    /// As many entries of `allow` as are taken.
    public static let mostEntries = 256

    public init(allow: [AllowedEntry] = [], ignoredAAAA: IgnoredAAAA = .auto) {
        self.allow = allow
        self.ignoredAAAA = ignoredAAAA
    }
}
