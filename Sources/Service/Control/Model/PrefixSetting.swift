/// The Pref64 of the networks.
public struct PrefixSetting: Codable, Hashable, Sendable {
    public var pref64: String

    public init(pref64: String) {
        self.pref64 = pref64
    }
}
