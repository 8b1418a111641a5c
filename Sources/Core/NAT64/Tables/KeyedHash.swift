// SPDX-License-Identifier: Apache-2.0
import Wire

/// A hash of transport addresses under a secret key.
///
/// Both sides control the tables' contents: an attacker able to predict which keys share a slot could make every look-up walk one long run.
/// So the function depends on 256 bits drawn from the seed. It is a folded multiplication (the 128-bit product of two keyed words, its
/// halves combined by exclusive or), twice over.
struct KeyedHash {
    private let k0: UInt64
    private let k1: UInt64
    private let k2: UInt64
    private let k3: UInt64

    init(from random: inout SeededRandom) {
        k0 = random.next()
        k1 = random.next()
        k2 = random.next()
        k3 = random.next()
    }

    @inline(always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        return high ^ low
    }

    @inline(always)
    func callAsFunction(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt32 {
        let first = Self.fold(a ^ k0, b ^ k1)
        let second = Self.fold(first ^ k2, c ^ k3)
        return UInt32(truncatingIfNeeded: second >> 32 ^ second)
    }

    @inline(always)
    func callAsFunction(_ address: IPv6Address, _ c: UInt64) -> UInt32 {
        self(UInt64(truncatingIfNeeded: address.bits >> 64), UInt64(truncatingIfNeeded: address.bits), c)
    }

    @inline(always)
    func callAsFunction(_ a: UInt64, _ b: UInt64) -> UInt32 {
        self(a, b, 0)
    }
}
