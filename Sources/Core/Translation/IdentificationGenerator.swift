// SPDX-License-Identifier: Apache-2.0
/// Identifications for IPv4 packets that may be fragmented (RFC 6864 §4.1).
///
/// A counter from a seed: no value repeats before all others were used, which is all the uniqueness that 16 bits allow, and with the same
/// seed the same packets get the same values.
///
/// An object, because code that joins a translator's datagrams renumbers them from the same sequence.
public final class IdentificationGenerator {
    private var following: UInt16

    public init(seed: UInt64) {
        following = UInt16(truncatingIfNeeded: seed ^ seed >> 16 ^ seed >> 32 ^ seed >> 48)
    }

    /// The first of `count` consecutive values, none of which any other caller gets.
    public func next(_ count: Int = 1) -> UInt16 {
        defer { following &+= UInt16(truncatingIfNeeded: count) }
        return following
    }
}
