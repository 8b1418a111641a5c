// SPDX-License-Identifier: Apache-2.0
import Router
import Testing
import Wire

@testable import Uplink

@Suite struct AllowListTests {
    @Test func `a name stands for the addresses that it had last`() throws {
        var list = AllowList([try AllowedEntry("10.0.0.0/24"), try AllowedEntry("db"), try AllowedEntry("cache")])
        #expect(list.unresolved == ["db", "cache"])

        list.resolve { $0 == "db" ? [IPv4Address(172, 18, 0, 3), IPv4Address(172, 18, 0, 2)] : [] }
        #expect(list.all.map { "\($0)" } == ["10.0.0.0/24", "172.18.0.2/32", "172.18.0.3/32"])
        #expect(list.unresolved == ["cache"])

        list.resolve { _ in [] }
        #expect(list.all.map { "\($0)" } == ["10.0.0.0/24", "172.18.0.2/32", "172.18.0.3/32"])
        list.resolve { $0 == "db" ? [IPv4Address(172, 18, 0, 9)] : [] }
        #expect(list.all.map { "\($0)" } == ["10.0.0.0/24", "172.18.0.9/32"])
    }

    @Test func `names are looked up as the host does`() {
        #expect(HostNames.addresses(of: "localhost") == [IPv4Address(127, 0, 0, 1)])
    }
}
