// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing

@testable import Topology

@Suite struct LinkSetupTests {
    @Test func `what is written is what is there`() throws {
        #expect(try LinkSetup("static") == .fixed)
        #expect(try LinkSetup("ra") == .advertised(Advertisement()))
        var advertisement = Advertisement()
        advertisement.isManaged = true
        advertisement.hasOtherConfiguration = true
        advertisement.routerLifetime = 1200
        advertisement.pref64Lifetime = 0
        advertisement.namesResolvers = false
        advertisement.searchDomains = [try DomainName("corp.test"), try DomainName("lab.corp.test")]
        #expect(
            try LinkSetup("ra,managed,other,lifetime=20m,pref64=0,no-rdnss,search=corp.test,search=lab.corp.test")
                == .advertised(advertisement))
        #expect(try LinkSetup("ra,no-pref64").advertisement?.pref64Lifetime == nil)
        #expect(try LinkSetup("ra,lifetime=0").advertisement?.routerLifetime == 0)
    }

    @Test(arguments: [
        "static", "ra", "ra,managed", "ra,other,lifetime=1200s,pref64=8s,search=corp.test.", "ra,no-pref64,no-rdnss",
    ])
    func `a set-up is written as it is read`(text: String) throws {
        #expect(try LinkSetup(text).description == text)
    }

    @Test(arguments: [
        ("", "a link is static or ra, or ra with more: ra,managed,lifetime=30m; not \"\""),
        ("dhcp", "a link is static or ra, or ra with more: ra,managed,lifetime=30m; not \"dhcp\""),
        ("static,managed", "a link is static or ra, or ra with more: ra,managed,lifetime=30m; not \"static,managed\""),
        (
            "ra,manged",
            "behind ra there can be managed, other, no-pref64, no-rdnss, lifetime=, pref64= and search=, not \"manged\" (did you mean managed?)"
        ),
        ("ra,lifetime=5s", "lifetime is 0, or from 10m to 150m (RFC 4861 §6.2.1), not \"5s\""),
        ("ra,pref64=1.5", "pref64 is a time of whole seconds to 65528 (RFC 8781 §4), not \"1.5\""),
        ("ra,pref64=65529", "pref64 is a time of whole seconds to 65528 (RFC 8781 §4), not \"65529\""),
        ("ra,search=a..b", "search is a domain such as corp.test, not \"a..b\""),
        ("ra,search=a,search=b,search=c,search=d,search=e", "search: at most 4 domains"),
    ])
    func `what cannot be meant is told`(text: String, message: String) {
        #expect(throws: LinkSetup.Mistake.self) { try LinkSetup(text) }
        do { _ = try LinkSetup(text) } catch { #expect("\(error)" == message) }
    }

    @Test(arguments: ["eth0", "en0", "pdp_ip0", "wlan0.7", "123456789012345"]) func `a name is taken`(name: String)
        throws
    {
        #expect(try InterfaceName(name).description == name)
    }

    @Test(arguments: [
        "", "lo", "all", "default", ".", "..", "a/b", "a b", "a:b", "eth%d", "é", "1234567890123456", "a\u{7f}",
    ])
    func `a name that the kernel would not take is not`(name: String) {
        #expect(throws: InterfaceName.Mistake.self) { try InterfaceName(name) }
    }
}
