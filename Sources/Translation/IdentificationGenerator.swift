/// Identifications for packets that the translator lets be fragmented, or fragments itself (RFC 6864 §4.1, RFC 7739 §5).
///
/// A counter from a seed: no value repeats before all others were used, which is all that uniqueness can mean for
/// 16 bits, and with the same seed the same packets get the same values.
public struct IdentificationGenerator: Hashable, Sendable {
    private var last: UInt32

    public init(seed: UInt64) {
        last = UInt32(truncatingIfNeeded: seed ^ seed >> 32)
    }

    mutating func next16() -> UInt16 { UInt16(truncatingIfNeeded: next32()) }

    mutating func next32() -> UInt32 {
        last &+= 1
        return last
    }
}
