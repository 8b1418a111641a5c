// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

@Suite struct ConfigurationTests {
    private static func error(_ change: (inout NAT64Configuration) -> Void) -> ConfigurationError? {
        do {
            _ = try Network(change)
            return nil
        } catch {
            return error as? ConfigurationError
        }
    }

    private static let host = TransportAddress6(IPv6Address(h6)!, 80)
    private static let mapped = TransportAddress4(IPv4Address(t4)!, 80)

    @Test
    func `prefixes are there and do not overlap`() throws {
        #expect(Self.error { $0.prefixes = [] } == .noPrefix)
        let wide = try Pref64("2001:db8::/32")
        let narrow = try Pref64("2001:db8:64::/96")
        #expect(
            Self.error { $0.prefixes = [wide, narrow] } == .overlappingPrefixes(wide.prefix, narrow.prefix))
        #expect(
            Self.error { $0.prefixes = [narrow, narrow] } == .overlappingPrefixes(narrow.prefix, narrow.prefix))
        let many = (0..<65).map { try! Pref64("2001:db8:\(String($0, radix: 16))::/96") }
        #expect(Self.error { $0.prefixes = many } == .tooManyPrefixes(65, maximum: 64))
    }

    @Test
    func `the pool is there, and each address once`() {
        #expect(Self.error { $0.pool = [] } == .emptyPool)
        let address = IPv4Address(t4)!
        #expect(Self.error { $0.pool = [address, address] } == .duplicatePoolAddress(address))
        let many = (0..<4_097).map { IPv4Address(bits: 0x0b00_0000 + $0) }
        #expect(Self.error { $0.pool = many } == .poolTooLarge(4_097, maximum: 4_096))
    }

    @Test
    func `lifetimes are what the RFCs allow, unless told otherwise`() {
        #expect(
            Self.error { $0.lifetimes.tcpTransitory = .seconds(239) }
                == .lifetimeTooShort(name: "tcpTransitory", given: .seconds(239), least: .seconds(240)))
        #expect(
            Self.error { $0.lifetimes.tcpEstablished = .seconds(7_439) }
                == .lifetimeTooShort(name: "tcpEstablished", given: .seconds(7_439), least: .seconds(7_440)))
        #expect(
            Self.error { $0.lifetimes.icmpQuery = .seconds(59) }
                == .lifetimeTooShort(name: "icmpQuery", given: .seconds(59), least: .seconds(60)))
        #expect(
            Self.error { $0.lifetimes.tcpIncomingSYN = .seconds(5) }
                == .lifetimeTooShort(name: "tcpIncomingSYN", given: .seconds(5), least: .seconds(6)))
        #expect(
            Self.error { $0.lifetimes.fragments = .seconds(1) }
                == .lifetimeTooShort(name: "fragments", given: .seconds(1), least: .seconds(2)))
        #expect(
            Self.error {
                $0.allowsShortLifetimes = true
                $0.lifetimes.udp = .seconds(30)
            } == nil)
        #expect(
            Self.error {
                $0.allowsShortLifetimes = true
                $0.lifetimes.udp = .zero
            } == .lifetimeTooShort(name: "udp", given: .zero, least: .milliseconds(1)))
    }

    @Test
    func `limits are numbers that the tables can have`() {
        #expect(Self.error { $0.limits.sessions = -1 } == .limitOutOfRange(name: "sessions", given: -1))
        #expect(Self.error { $0.limits.bindings = .max } == .limitOutOfRange(name: "bindings", given: .max))
        #expect(Self.error { $0.limits.storedSYNs = 8_193 } == .limitOutOfRange(name: "storedSYNs", given: 8_193))
        #expect(Self.error { $0.limits.sessions = 0 } == nil)
    }

    @Test
    func `static bindings fit the pool, the prefixes and each other`() {
        let good = StaticBinding(.tcp, Self.host, Self.mapped)
        #expect(Self.error { $0.staticBindings = [good] } == nil)

        var elsewhere = good
        elsewhere.mapped.address = IPv4Address("192.0.2.200")!
        #expect(Self.error { $0.staticBindings = [elsewhere] } == .staticBindingOutsidePool(elsewhere))

        var inside = good
        inside.host.address = Network.synthesized(h4)
        #expect(Self.error { $0.staticBindings = [inside] } == .staticBindingInsidePref64(inside))

        var zero = good
        zero.mapped.port = 0
        #expect(Self.error { $0.staticBindings = [zero] } == .staticBindingOnPortZero(zero))

        var sameHost = good
        sameHost.mapped.port = 81
        #expect(Self.error { $0.staticBindings = [good, sameHost] } == .conflictingStaticBinding(sameHost))
        var sameMapped = good
        sameMapped.host.port = 81
        #expect(Self.error { $0.staticBindings = [good, sameMapped] } == .conflictingStaticBinding(sameMapped))
        var otherProtocol = good
        otherProtocol.transport = .udp
        #expect(Self.error { $0.staticBindings = [good, otherProtocol] } == nil)

        var second = good
        second.host.port = 81
        second.mapped.port = 81
        #expect(
            Self.error {
                $0.limits.bindings = 1
                $0.staticBindings = [good, second]
            } == .staticBindingsExceedLimits(second))
    }

    @Test
    func `a lifetime of milliseconds is kept to the nanosecond, too`() throws {
        var network = try Network {
            $0.allowsShortLifetimes = true
            $0.lifetimes.udp = .milliseconds(1)
        }
        for _ in 0..<50 {
            network.send6(h6, h4, .udp(4_000, 53))
            network.pass(.milliseconds(1) - .nanoseconds(1))
            #expect(network.sessions.count == 1)
            network.pass(.nanoseconds(1))
            #expect(network.sessions.isEmpty)
        }
    }
}
