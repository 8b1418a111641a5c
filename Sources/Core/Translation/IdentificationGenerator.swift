// SPDX-License-Identifier: Apache-2.0
/// Identifications for IPv4 packets that may be fragmented (RFC 6864 §4.1).
///
/// A counter from a seed: no value repeats before all others were used, which is all that uniqueness can mean in 16 bits,
/// and with the same seed the same packets get the same values.
///
/// An object, because whoever joins datagrams that a translator made numbers them anew, out of the same row.
public final class IdentificationGenerator {
    private var following: UInt16

    public init(seed: UInt64) {
        following = UInt16(truncatingIfNeeded: seed ^ seed >> 16 ^ seed >> 32 ^ seed >> 48)
    }

    /// The first of `count` values in a row, of which no other caller gets any.
    public func next(_ count: Int = 1) -> UInt16 {
        defer { following &+= UInt16(truncatingIfNeeded: count) }
        return following
    }
}
