// SPDX-License-Identifier: Apache-2.0
import DNS64
import Testing
import Topology
import Translation
import Wire

@testable import ConfigurationText

/// `link` and `path` of a host.
@Suite struct HostPathSectionTests {
    private func host(_ rest: String) -> String {
        "version: 1\nhosts:\n  far.test:\n    addresses: [203.0.113.9]\n    \(rest)\n"
    }

    @Test func `a host is on the simulator's own link`() throws {
        #expect(try world(host("ttl: 5")).paths.isEmpty)
        #expect(try world(host("path: []")).paths.isEmpty)
    }

    @Test(arguments: ["{ delay: 80ms, loss: 1% }", "delay=80ms, loss=1%"]) func `a link`(text: String) throws {
        let path = try #require(
            try world(host("link: \"\(text)\"".replacing("\"{", with: "{").replacing("}\"", with: "}"))).paths.first)
        #expect(path.link.down.delay == .milliseconds(80) && path.link.up.loss == 10_000)
        #expect(path.name == "far.test" && path.hosts == [.ipv4(IPv4Address(203, 0, 113, 9))])
        #expect(path.writtenLink == ["delay=80ms", "loss=1%"])
    }

    @Test func `routers of all kinds`() throws {
        let world = try world(
            host("path: [198.51.100.1, silent, [198.51.100.3, \"2e00:2:0:cafe::3\"], { router: silent, mtu: 1400 }]"))
        let third = HostPath.Router(ipv4: IPv4Address(198, 51, 100, 3), ipv6: IPv6Address("2e00:2:0:cafe::3"))
        #expect(
            world.paths.first?.routers == [
                HostPath.Router(ipv4: IPv4Address(198, 51, 100, 1)), HostPath.Router(), third,
                HostPath.Router(mtu: 1400),
            ])
        #expect(world.routerAddresses.count == 3)
        // They may be of networks that the well-known prefix does not carry: theirs are carried all the same.
        #expect(world.definedIPv4Addresses.contains(IPv4Address(198, 51, 100, 3)))
    }

    @Test func `a router is reached as it is, so no prefix may contain it`() throws {
        var world = try world(host("path: [\"2001:db8:64::1\"]"))
        #expect(world.objectionToPrefixes(on: .standard) == nil)
        world.dns64.replaceClauses(by: try Pref64("2001:db8:64::/96"))
        #expect(
            world.objectionToPrefixes(on: .standard)?.contains("contains 2001:db8:64::1, a router on the way to a host")
                == true)
    }

    @Test(arguments: [
        ("link: { delai: 80ms }", "w.yaml:5:11: link: no condition delai (did you mean delay?)"),
        (
            "link: { dns-delay: 1s }",
            "w.yaml:5:11: link: dns-delay and no-uplink are of a network, and not of a host: --conditions takes them"
        ),
        (
            "link: [[a]]",
            "w.yaml:5:11: a link is a map such as { delay: 80ms, loss: 1% }, or conditions by their names, such as lte, not a list"
        ),
        (
            "path: [{ mtu: 1400 }]",
            "w.yaml:5:12: a router has its address, or silent: { router: 198.51.100.1, mtu: 1400 }"
        ),
        ("path: [{ router: silent, mtu: 67 }]", "w.yaml:5:35: mtu must be a number from 68 to 65535, not \"67\""),
        ("path: [[198.51.100.1, 198.51.100.2]]", "w.yaml:5:27: a router has one address of each family"),
        (
            "path: [192.0.2.7]",
            "w.yaml:5:12: 192.0.2.7 is the simulator's own (192.0.2.0/24): \(AddressRules.recommendation)"
        ),
    ])
    func `mistakes`(text: String, expected: String) {
        #expect(complaints(host(text)) == [expected])
    }

    @Test func `hosts that share an address are in the same place`() {
        let other = "  near.test: { addresses: [203.0.113.9] }\n"
        #expect(
            complaints(host("link: lte") + other) == [
                "w.yaml:6:28: 203.0.113.9 is far.test's, too, which has another link or path: write the same of both"
            ])
        #expect(complaints(host("link: lte") + "  near.test: { addresses: [203.0.113.9], link: lte }\n").isEmpty)
    }

    @Test func `a path is no longer than a traceroute`() {
        let routers = Array(repeating: "silent", count: 31).joined(separator: ", ")
        #expect(complaints(host("path: [\(routers)]")) == ["w.yaml:5:11: a path has at most 30 routers"])
    }
}
