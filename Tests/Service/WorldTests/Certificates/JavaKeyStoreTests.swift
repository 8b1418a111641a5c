// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import World

@Suite struct `A Java key store` {
    /// An empty one as keytool writes it: magic, version 2, no entry, digest.
    private static let empty: [UInt8] = [
        0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 0,
        0xe2, 0x68, 0x6e, 0x45, 0xfb, 0x43, 0xdf, 0xa4, 0xd9, 0x92, 0xdd, 0x41,
        0xce, 0xb6, 0xb2, 0x1c, 0x63, 0x30, 0xd7, 0x92,
    ]

    private func extended(_ store: [UInt8]) throws -> [UInt8]? {
        JavaKeyStore.extended(store, by: try CertificateAuthority().certificatePEM)
    }

    @Test func `gets one more entry, and a digest that holds`() throws {
        let once = try #require(try extended(Self.empty))
        #expect(once[8..<12] == [0, 0, 0, 1])
        let twice = try #require(try extended(once), "the digest of the first is right, or it would be damaged")
        #expect(twice[8..<12] == [0, 0, 0, 2])
        #expect(twice.starts(with: once[..<4]) && twice[12..<once.count - 20] == once[12..<once.count - 20])
    }

    @Test func `is left alone where it is damaged, of another password or another form`() throws {
        for index in [0, 7, 11, 20] {
            var damaged = Self.empty
            damaged[index] ^= 1
            #expect(try extended(damaged) == nil, "octet \(index)")
        }
        #expect(try extended([]) == nil)
        #expect(try extended([0x30, 0x82] + [UInt8](repeating: 0, count: 100)) == nil)
    }

    /// PFX, version 3, data, an AuthenticatedSafe with nothing in it, and no MAC.
    private static let emptyPKCS12: [UInt8] = [
        0x30, 0x16, 0x02, 0x01, 0x03, 0x30, 0x11,
        0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01,
        0xa0, 0x04, 0x04, 0x02, 0x30, 0x00,
    ]

    @Test func `in PKCS 12 gets one more entry`() throws {
        let once = try #require(try extended(Self.emptyPKCS12))
        let twice = try #require(try extended(once))
        #expect(twice.count > once.count + 300)
    }

    @Test func `in PKCS 12 is left alone where it is cut off, goes on, or has a MAC`() throws {
        for count in Self.emptyPKCS12.indices { #expect(try extended(Array(Self.emptyPKCS12.prefix(count))) == nil) }
        #expect(try extended(Self.emptyPKCS12 + [0]) == nil)
        var withMAC = Self.emptyPKCS12 + [0x30, 0x00]
        withMAC[1] += 2
        #expect(try extended(withMAC) == nil)
        for octet: UInt8 in [0x80, 0x84, 0xff] {
            var damaged = Self.emptyPKCS12
            damaged[1] = octet
            #expect(try extended(damaged) == nil)
        }
    }
}
