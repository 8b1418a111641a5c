// SPDX-License-Identifier: Apache-2.0
import Suites
import Testing

@testable import World

@Suite struct RedirectionTests {
    @Test(
        arguments: [
            ("/home", nil), ("home//x", nil), ("https://shop.test:8443/", nil), ("//shop.test/", nil),
            ("/a?b=http://1.2.3.4/", nil),
            ("http://[2e00::1]:8080/", nil), ("http://u:p@shop.test/", nil), ("http://198.51.100.10.shop.test/", nil),
            ("http://198.51.100.10:81/a?b", .ipv4), ("//198.51.100.10", .ipv4), ("http://u@198.51.100.10/", .ipv4),
            ("http://[::ffff:198.51.100.77]:8080/", .ipv4), ("http://127.0.0.1:8080/home", .ownMachine),
            ("http://[::1]/", .ownMachine), ("http://[2e00:8080/home", .noURL), ("http://2e00:2::6:8080/", .noURL),
            ("http://[2e00::1]8080/", .noURL), ("http://[shop.test]/", .noURL),
        ] as [(String, ProbeAnswer.Obstacle?)])
    func `where a redirect leads`(location: String, obstacle: ProbeAnswer.Obstacle?) {
        #expect(Redirection.obstacle(to: location, asked: "[2e00:2:0:cafe::6]:8080") == obstacle)
    }

    @Test func `the address that was asked can be asked again`() {
        for asked in ["192.0.2.64:8080", "127.0.0.1:8080", "[::1]:8080"] {
            #expect(Redirection.obstacle(to: "http://\(asked)/sub/", asked: asked) == nil)
        }
        #expect(Redirection.obstacle(to: "http://192.0.2.65:8080/", asked: "192.0.2.64:8080") == .ipv4)
    }
}
