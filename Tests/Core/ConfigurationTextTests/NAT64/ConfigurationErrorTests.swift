// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigurationText

/// Every mistake that a configuration file can hold, with the line that its writer sees.
@Suite struct `Mistakes in a configuration file` {
    private func complaints(_ yaml: String) -> [String] {
        do throws(YAMLFileError) {
            _ = try TranslatorConfiguration(yaml: Array(yaml.utf8), name: "c.yaml")
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: [
        ("", "1:1: the file is empty: write version: 1, then nat64 and what is to be changed about it"),
        ("nat64: {}", "1:1: the version is missing: write version: 1 as the first line"),
        ("version: 2", "1:10: this program reads version: 1, not \"2\""),
        (
            "version: 1\ncheese: {}",
            "2:1: unknown key \"cheese\": a configuration file has version, world, prefix, dns64, nat64, uplink, lan, clients, control and log"
        ),
        ("version: 1\nnat6: {}", "2:1: unknown key \"nat6\" (did you mean \"nat64\"?)"),
        ("version: 1\nnat64: 5", "2:8: nat64 must be a map, such as nat64: { mode: stateful }, not \"5\""),
    ])
    func `as a whole`(yaml: String, expected: String) {
        #expect(complaints(yaml) == ["c.yaml:\(expected)"])
    }

    @Test(arguments: [
        ("mode: statefull", "9: mode cannot be \"statefull\" (did you mean \"stateful\"?)"),
        ("mode: nat", "9: mode must be one of stateful and stateless, not \"nat\""),
        ("seed: -1", "9: seed must be a number from 0 to 9223372036854775807, not \"-1\""),
        ("prefix: 64:ff9b::/96", "3: unknown key \"prefix\" (did you mean \"prefixes\"?)"),
        (
            "prefixes: 2001:db8::1",
            "13: '2001:db8::1' is not an IPv6 prefix such as 64:ff9b::/96 (an address whose bits behind the length are zero)"
        ),
        ("prefixes: 64:ff9b::/95", "13: a Pref64 has a length of 32, 40, 48, 56, 64 or 96, not 95 (RFC 6052 §2.2)"),
        (
            "prefixes: ff00::/96",
            "13: ff00::/96 cannot be a Pref64: these are multicast addresses (ff00::/8); give 64:ff9b::/96, or a prefix of the network's own"
        ),
        ("prefixes: []", "13: there is no Pref64"),
        (
            "prefixes: [2001:db8::/32, 2001:db8:1::/96]", "13: the Pref64s 2001:db8::/32 and 2001:db8:1::/96 overlap"
        ),
        (
            "pool: [192.0.2.300]",
            "10: pool has addresses and prefixes such as 192.0.2.64 and 192.0.2.64/28 (whose bits behind the length are zero), not \"192.0.2.300\""
        ),
        ("pool: []", "9: the IPv4 address pool is empty"),
        ("pool: [192.0.2.1, 192.0.2.0/30]", "9: 192.0.2.1 is in the IPv4 address pool twice"),
        ("pool: 10.0.0.0/8", "9: the pool has 4096 addresses at most"),
        ("pool: 0.0.0.0/0", "9: no packet may come from 0.0.0.0/0: it cannot be in the pool"),
        ("pool: 224.0.0.1", "9: no packet may come from 224.0.0.1/32: it cannot be in the pool"),
        ("pool: 169.254.0.0/16", "9: no packet may come from 169.254.0.0/16: it cannot be in the pool"),
        (
            "pool: [{ address: 192.0.2.1, ports: 9-5 }]", "39: ports must be a range such as 1024-65535, not \"9-5\""
        ),
        (
            "pool: [{ ports: 1-5 }]",
            "10: a port range of the pool has address and ports, such as { address: 192.0.2.64, ports: 1024-65535 }"
        ),
        ("filtering: none", "14: filtering must be one of endpoint-independent and address-dependent, not \"none\""),
        ("plateaus: maybe", "13: plateaus must be true or false, not \"maybe\""),
        ("ipv6-mtu: 1279", "13: ipv6-mtu must be a number from 1280 to 65535, not \"1279\""),
        ("ipv4-mtu: [1500]", "13: ipv4-mtu must be a number from 68 to 65535, not a list"),
        (
            "time-outs: { udp: 5x }",
            "21: udp must be a time such as 90 (seconds), 1.5, 250ms, 5m or 2h, not \"5x\""
        ),
        (
            "time-outs: { udp: 30 }",
            "14: the lifetime udp is 30.0 seconds, and 120.0 seconds is the least that the RFCs allow; allow-short: true beside it permits that"
        ),
        ("time-outs: { fragment: 3 }", "16: unknown key \"fragment\" (did you mean \"fragments\"?)"),
        (
            "limits: { bindings-per-host: many }",
            "32: bindings-per-host must be a number from 0 to 1073741824, or none, not \"many\""
        ),
        (
            "errors: { ipv6-source: 192.0.2.1 }",
            "26: ipv6-source must be an address such as 2001:db8::1, not \"192.0.2.1\""
        ),
        ("errors: { ipv4-pool: 192.0.2.1 }", "24: ipv4-pool has a meaning with mode: stateless only; leave it out"),
        ("faults: { ipv4-black-hole: -1 }", "30: ipv4-black-hole must be a number from 0 to 65575, not \"-1\""),
        (
            "explicit-address-mappings: []",
            "30: explicit-address-mappings has a meaning with mode: stateless only; leave it out"
        ),
        (
            "static-bindings: [{ protocol: tcp }]",
            "21: a static binding has all of protocol, ipv6, ipv6-port, ipv4 and ipv4-port: ipv6, ipv6-port, ipv4 and ipv4-port missing"
        ),
    ])
    func `of a stateful translator`(line: String, expected: String) {
        #expect(complaints("version: 1\nnat64:\n  \(line)\n") == ["c.yaml:3:\(expected)"])
    }

    @Test func `in static bindings are told where the later one stands`() {
        let binding = "{ protocol: tcp, ipv6: 2001:db8::5, ipv6-port: 443, ipv4: 192.0.2.64, ipv4-port: 443 }"
        let yaml = "version: 1\nnat64:\n  static-bindings:\n    - \(binding)\n    - \(binding)\n"
        let text = "tcp [2001:db8::5]:443 <-> 192.0.2.64:443"
        #expect(
            complaints(yaml) == [
                "c.yaml:5:7: the static binding \(text) uses a transport address that another one has"
            ])
    }

    @Test(arguments: [
        ("pool: 192.0.2.1", "9: pool has a meaning with mode: stateful only; leave it out"),
        ("prefixes: [64:ff9b::/96, 2001:db8::/96]", "13: mode: stateless has one prefix at most"),
        ("prefixes: []", "13: there is neither a prefix nor an explicit address mapping"),
        (
            "explicit-address-mappings: [{ ipv4: 192.0.2.0/24, ipv6: 2001:db8::/121 }]",
            "31: 2001:db8::/121 has fewer addresses than 192.0.2.0/24: each IPv4 address needs one (RFC 7757 §3.1)"
        ),
        (
            "explicit-address-mappings: [{ ipv4: 192.0.2.0/24 }]",
            "31: an explicit address mapping has ipv4 and ipv6, such as { ipv4: 192.0.2.0/24, ipv6: 2001:db8::/120 }"
        ),
        (
            "explicit-address-mappings: [{ ipv4: 192.0.2.1, ipv6: 2001:db8::1 }, { ipv4: 192.0.2.1, ipv6: 2001:db8::2 }]",
            "71: two explicit address mappings for 192.0.2.1/32: keep one"
        ),
    ])
    func `of a stateless translator`(line: String, expected: String) {
        #expect(complaints("version: 1\nnat64:\n  \(line)\n  mode: stateless\n") == ["c.yaml:3:\(expected)"])
    }

    @Test func `a mode that is neither is the only mistake`() {
        let text = """
            version: 1
            nat64:
              mode: statless
              explicit-address-mappings: [{ ipv4: 192.0.2.7, ipv6: 2001:db8::7 }]
              errors: { ipv4-pool: 192.0.2.1 }
            """
        #expect(complaints(text) == ["c.yaml:3:9: mode cannot be \"statless\" (did you mean \"stateless\"?)"])
    }

    @Test func `are told all at once`() {
        #expect(complaints("version: 1\nnat64:\n  mode: x\n  tos: y\n  seed: z\n").count == 3)
    }

    @Test func `never trap, wherever the file ends and whatever octet is changed`() throws {
        let text = Array(
            """
            version: 1
            nat64:
              pool: [192.0.2.1/30]
              time-outs: { udp: 5.5m }
              static-bindings: [{ protocol: tcp, ipv6: 2001:db8::5, ipv6-port: 443, ipv4: 192.0.2.64, ipv4-port: 443 }]
              limits: { sessions: 65536 }
            """.utf8)
        for length in text.indices { _ = complaints(String(decoding: text[..<length], as: UTF8.self)) }
        for index in text.indices {
            for octet: UInt8 in [0x20, 0x2a, 0x2d, 0x39, 0x3a, 0x5b, 0xff] {
                var changed = text
                changed[index] = octet
                _ = try? TranslatorConfiguration(yaml: changed, name: "c.yaml")
            }
        }
    }
}
