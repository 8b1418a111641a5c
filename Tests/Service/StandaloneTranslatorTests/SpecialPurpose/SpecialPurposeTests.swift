// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

/// fixtures/nat64/special-purpose.txt: IANA's registry and the RFCs, prefix by prefix and place by place.
@Suite struct `Special-purpose addresses` {
    /// RFC 6052 §2.4's, one of each length, and the well-known one.
    private static let prefixes = [
        "2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56", "2001:db8:122:344::/64",
        "2001:db8:122:344::/96", "64:ff9b::/96",
    ]

    @Test(arguments: prefixes)
    func `without state, every place of a packet is as the file says`(prefix: String) throws {
        let translator = try TranslatorUnderTest(prefix, .stateless)
        for line in Expectation.all {
            let expected = translator.prefix.isWellKnown ? line.wellKnown : line.elsewhere
            for address in line.addresses {
                let verdict = translator.verdict(line.direction, line.place, address)
                #expect(verdict == expected, "\(address): \(line.testDescription)")
            }
            guard let source = IPv6Prefix(line.prefix) else { continue }
            let packet = Packets.ipv6(
                from: source.address, to: translator.prefix.embed(TranslatorUnderTest.remote), .udp(1, 2))
            let (emitted, drops) = translator.send(packet)
            #expect(emitted.isEmpty && drops == [.illegalSource], "\(line.testDescription)")
        }
    }

    /// The pool and the hosts are the configuration's: what is left are the addresses of the IPv4 side. A non-global host under
    /// the well-known prefix may be refused with an answer or without.
    @Test(arguments: prefixes)
    func `with state, every place that is not the configuration's is as the file says`(prefix: String) throws {
        let translator = try TranslatorUnderTest(prefix, .stateful)
        for line in Expectation.all {
            switch (line.direction, line.place) {
            case (.fromIPv4, .source), (.fromIPv4, .errorSource), (.fromIPv4, .quotedDestination): break
            case (.fromIPv6, .destination), (.fromIPv6, .quotedSource): break
            default: continue
            }
            let expected = translator.prefix.isWellKnown ? line.wellKnown : line.elsewhere
            for address in line.addresses {
                let verdict = translator.verdict(line.direction, line.place, address)
                let isRefused = expected == .refuse && verdict == .drop
                #expect(verdict == expected || isRefused, "\(address): \(line.testDescription)")
            }
        }
    }

    @Test func `addresses of every kind are tested`() {
        #expect(Expectation.all.allSatisfy { !$0.addresses.isEmpty || $0.prefix.contains(":") })
        #expect(Set(Expectation.all.map(\.place)).count == 5)
    }
}
