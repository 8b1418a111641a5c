// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@Suite struct ProxySettingTests {
    @Test(
        arguments: [
            ("http://proxy.example:3128", "proxy.example", 3128), ("proxy.example", "proxy.example", nil),
            ("http://user:secret@192.0.2.9:8080/", "192.0.2.9", 8080),
            ("socks5h://[2001:db8::9]:1080", "2001:db8::9", 1080),
            ("[2001:db8::9]", "2001:db8::9", nil), ("2001:db8::9", "2001:db8::9", nil), ("a:b", "a", nil),
        ] as [(String, String, UInt16?)])
    func `host and port of a URL`(_ text: String, _ host: String, _ port: UInt16?) throws {
        let end = try #require(HostAndPort(ofURL: text))
        #expect(end.host == host && end.port == port)
    }

    @Test(arguments: ["", "http://", "[2001:db8::9", "[]", "[::1]x", String(repeating: "a", count: 5000)])
    func `what has no host is none`(_ text: String) {
        #expect(HostAndPort(ofURL: text) == nil)
    }

    @Test func `a password is no evidence`() throws {
        let setting = try #require(ProxySetting(variable: "HTTPS_PROXY", value: "http://user:secret@proxy.example:1"))
        #expect(!"\(setting)".contains("secret") && setting.host == "proxy.example")
    }

    @Test func `exceptions are a bounded list`() throws {
        let setting = try #require(ProxySetting(variable: "NO_PROXY", value: " a.test, .b.test,,2001:db8::/32 "))
        #expect(setting.exceptions == ["a.test", ".b.test", "2001:db8::/32"])
        let long = String(repeating: "a,", count: 10_000)
        #expect(try #require(ProxySetting(variable: "no_proxy", value: long)).exceptions.count == 256)
        #expect(ProxySetting(variable: "no_proxy", value: ",") == nil)
        #expect(ProxySetting(variable: "PATH", value: "/bin") == nil)
    }
}
