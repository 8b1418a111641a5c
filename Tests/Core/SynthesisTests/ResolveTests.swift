// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Glibc
import Testing

/// The engine of `ipv6check resolve`: the rules on hosts that exist on paper only, in this process.
@Suite("Resolve")
struct ResolveTests {
    struct Answer: Equatable {
        var result: Int32
        var addresses: [String]
        var why: String
    }

    func resolve(
        _ profile: synthesis_profile, _ node: String?, _ service: String? = "80", family: Int32 = AF_UNSPEC,
        flags: Int32 = 0, prefixes: String = "64:ff9b::/96", hasIPv6: Bool = true, reachesIPv4: Bool = false
    ) -> Answer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = family
        unsafe hints.ai_socktype = Hints.stream
        unsafe hints.ai_flags = flags
        var host = synthesis_imagined_host(has_ipv6: hasIPv6, reaches_ipv4: reachesIPv4, prefixes: pref64_list())
        _ = unsafe pref64_list_parse(prefixes, &host.prefixes)
        var outcome = synthesis_outcome()
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe withOptionalCString(node) { node in
            unsafe withOptionalCString(service) { service in
                unsafe withUnsafePointer(to: &hints) { hints in
                    var question = unsafe synthesis_question(node: node, service: service, hints: hints)
                    return unsafe synthesis_resolve(profile, &question, &host, &list, &outcome)
                }
            }
        }
        defer { unsafe synthesis_free(list) }
        var addresses: [String] = []
        var entry = unsafe result == 0 ? list : nil
        while let current = unsafe entry {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            unsafe getnameinfo(
                current.pointee.ai_addr, current.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                NI_NUMERICHOST)
            addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            unsafe entry = current.pointee.ai_next
        }
        return Answer(
            result: result, addresses: addresses, why: unsafe String(cString: synthesis_reason_name(outcome.reason)))
    }

    private func withOptionalCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return unsafe text.withCString(body)
    }

    static let six = "64:ff9b::c000:201"

    @Test
    func `The table of literals on an IPv6-only network comes out as described`() {
        func addresses(_ family: Int32, _ flags: Int32) -> [String] {
            resolve(SYNTHESIS_APPLE, "192.0.2.1", family: family, flags: flags).addresses
        }
        #expect(addresses(AF_UNSPEC, 0) == [Self.six])
        #expect(addresses(AF_UNSPEC, Hints.addressConfiguration) == [Self.six])
        for flags in [Hints.canonicalName, Hints.passive, Hints.numericService] {
            #expect(addresses(AF_UNSPEC, flags) == [Self.six, "192.0.2.1"])
        }
        #expect(addresses(AF_UNSPEC, Hints.numericHost) == ["192.0.2.1"])
        #expect(addresses(AF_INET6, 0) == [Self.six])
        #expect(addresses(AF_INET6, Hints.v4Mapped) == [Self.six])
        #expect(addresses(AF_INET6, Hints.all | Hints.v4Mapped) == [Self.six, "::ffff:192.0.2.1"])
        #expect(addresses(AF_INET, 0) == ["192.0.2.1"])
    }

    @Test
    func `Each profile has its own answer to the same literal`() {
        func answer(_ profile: synthesis_profile, _ node: String) -> [String] {
            resolve(profile, node, flags: Hints.canonicalName).addresses
        }
        #expect(answer(SYNTHESIS_APPLE, "10.0.0.1") == ["10.0.0.1"])
        #expect(answer(SYNTHESIS_APPLE_IOS9, "10.0.0.1") == ["64:ff9b::a00:1", "10.0.0.1"])
        #expect(answer(SYNTHESIS_ANDROID, "192.0.2.1") == ["192.0.2.1"])
        #expect(answer(SYNTHESIS_CHROMIUM, "10.0.0.1") == ["64:ff9b::a00:1"])
        #expect(answer(SYNTHESIS_LINUX, "192.0.2.1") == ["192.0.2.1"])
    }

    @Test
    func `The private networks are excluded under the well-known prefix alone`() {
        let both = resolve(SYNTHESIS_APPLE, "10.0.0.1", prefixes: "64:ff9b::/96,2001:db8:64::/96")
        #expect(both == Answer(result: 0, addresses: ["2001:db8:64::a00:1"], why: "literal"))
        #expect(resolve(SYNTHESIS_APPLE, "10.0.0.1").why == "excluded")
    }

    /// RFC 6052 §2.4, whose table has 192.0.2.33; the text is the system's.
    @Test(arguments: [
        ("2001:db8::/32", "2001:db8:c000:221::"), ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"), ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100:0"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::c000:221"), ("64:ff9b::/96", "64:ff9b::c000:221"),
    ])
    func `A literal is synthesised under a prefix of each length`(prefix: String, expected: String) {
        for profile in [SYNTHESIS_APPLE, SYNTHESIS_APPLE_IOS9, SYNTHESIS_CHROMIUM] {
            #expect(resolve(profile, "192.0.2.33", prefixes: prefix).addresses == [expected])
        }
    }

    @Test
    func `What the host lacks is named`() {
        let plain = ["192.0.2.1"]
        #expect(
            resolve(SYNTHESIS_APPLE, "192.0.2.1", hasIPv6: false)
                == Answer(result: 0, addresses: plain, why: "no-ipv6-address"))
        #expect(
            resolve(SYNTHESIS_APPLE, "192.0.2.1", prefixes: "") == Answer(result: 0, addresses: plain, why: "no-pref64")
        )
        #expect(
            resolve(SYNTHESIS_CHROMIUM, "192.0.2.1", reachesIPv4: true)
                == Answer(result: 0, addresses: plain, why: "ipv4-reachable"))
        #expect(resolve(SYNTHESIS_APPLE, "192.0.2.1", "nosuch").why == "unknown-service")
        #expect(resolve(SYNTHESIS_APPLE, "192.0.2.1", "nosuch").result == EAI_SERVICE)
    }

    @Test
    func `Empty strings are NULL to Apple, where there is a NAT64`() {
        #expect(Set(resolve(SYNTHESIS_APPLE, "", "80").addresses).isSubset(of: ["::1", "127.0.0.1"]))
        #expect(resolve(SYNTHESIS_APPLE, "", "").result == EAI_NONAME)
        #expect(resolve(SYNTHESIS_APPLE, nil, "").result == EAI_NONAME)
    }

    @Test
    func `Profiles are found by their names, and no others`() {
        for profile in [
            SYNTHESIS_APPLE, SYNTHESIS_APPLE_IOS9, SYNTHESIS_ANDROID, SYNTHESIS_CHROMIUM, SYNTHESIS_LINUX,
        ] {
            var found = SYNTHESIS_LINUX
            #expect(unsafe synthesis_profile_named(synthesis_profile_name(profile), &found))
            #expect(found == profile)
        }
        var untouched = SYNTHESIS_ANDROID
        #expect(unsafe !synthesis_profile_named("Apple", &untouched))
        #expect(untouched == SYNTHESIS_ANDROID)
    }
}
