import Testing
import Wire

@testable import Uplink

@Suite struct AllowedEntryTests {
    @Test func `reads prefixes addresses and names`() throws {
        #expect(try AllowedEntry("10.1.2.0/24") == .prefix(IPv4Prefix("10.1.2.0/24")!))
        #expect(try AllowedEntry("10.1.2.3") == .prefix(IPv4Prefix("10.1.2.3/32")!))
        #expect(try AllowedEntry("db") == .name("db"))
        #expect(try AllowedEntry("my_app-1.example.com") == .name("my_app-1.example.com"))
    }

    @Test(arguments: [
        "", ".", "a..b", "10.1.2.3/33", "10.1.2.3/24", "10.1.2", "300.1.2.3", "a b", "a;b", "fd00::1", "a.123", "-f\n",
        "a$(id)", String(repeating: "a", count: 64), String(repeating: "a.", count: 130) + "a",
    ])
    func `says what is neither`(text: String) {
        #expect(throws: AllowedEntry.Invalid.neitherPrefixNorName(text)) { try AllowedEntry(text) }
    }

    @Test func `says what can never be allowed`() {
        #expect(throws: AllowedEntry.Invalid.neverAllowed(IPv4Prefix("127.0.0.1/32")!)) {
            try AllowedEntry("127.0.0.1")
        }
        #expect(throws: AllowedEntry.Invalid.neverAllowed(IPv4Prefix("0.0.0.0/0")!)) { try AllowedEntry("0.0.0.0/0") }
    }

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
