// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import NAT64
import Wire
import Testing
import Translation

@Suite struct SettingTests {
    private func configuration(_ texts: String...) throws -> NAT64Configuration {
        let router = IPv6Address("2001:db8::1")!
        let errors = ErrorPolicy(ipv6Source: router, ipv4Source: IPv4Address(192, 0, 2, 1))
        var configuration = NAT64Configuration(
            prefixes: [.wellKnown], pool: [IPv4Address(192, 0, 2, 64)], errors: errors)
        for text in texts { try NAT64Setting(text).apply(to: &configuration) }
        return configuration
    }

    @Test func `a time-out may be shorter than the RFCs allow`() throws {
        let changed = try configuration("tcp-established=10s", "udp=1.5", "icmp-query=250ms", "tcp-transitory=1m")
        #expect(changed.allowsShortLifetimes && changed.probesIdleConnections)
        #expect(changed.lifetimes.tcpEstablished == .seconds(10) && changed.lifetimes.udp == .milliseconds(1500))
        #expect(changed.lifetimes.icmpQuery == .milliseconds(250) && changed.lifetimes.tcpTransitory == .seconds(60))
        _ = try NAT64(changed, seed: 1, now: .zero)
    }

    @Test func `a NAT64 that forgets asks nobody`() throws {
        let changed = try configuration("forgets=30s")
        #expect(!changed.probesIdleConnections && changed.lifetimes.tcpEstablished == .seconds(30))
        #expect(changed.lifetimes.udp == .seconds(30) && changed.lifetimes.icmpQuery == .seconds(30))
    }

    @Test func `quotas are numbers`() throws {
        let changed = try configuration("sessions-per-host=50", "bindings-per-host=0")
        #expect(changed.limits.sessionsPerHost == 50 && changed.limits.bindingsPerHost == 0)
    }

    @Test func `lowest-ipv6-mtu is the size of fragments`() throws {
        #expect(try configuration("lowest-ipv6-mtu=1400").translation.lowestIPv6MTU == 1400)
    }

    @Test(arguments: [
        ("lowest-ipv6-mtu=1279", "from 1280 to 65535"), ("forgets", "write NAME=VALUE"), ("", "write NAME=VALUE"),
        ("=1", "write NAME=VALUE"),
        ("forgets=", "write NAME=VALUE"), ("forgets=0", "from 10ms to 24h"), ("forgets=25h", "from 10ms to 24h"),
        ("udp=-1", "from 10ms to 24h"), ("forget=3s", "did you mean forgets?"), ("nothing=3s", "there are forgets, "),
        ("sessions-per-host=many", "from 0 to"), ("sessions-per-host=99999999999999999999", "from 0 to"),
    ]) func `what cannot be is refused with what can`(text: String, reason: String) {
        let error = #expect(throws: OptionError.self) { try NAT64Setting(text) }
        #expect(error?.description.hasPrefix("--nat64 \(text): ") == true)
        #expect(error?.reason.contains(reason) == true)
    }
}
