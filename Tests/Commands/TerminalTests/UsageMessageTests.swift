// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Terminal
import Testing

@testable import ipv6check

@Suite struct UsageMessageTests {
    @Test(arguments: [
        ["run", "--bad"], ["suite", "--shards"], ["suite", "add"], ["merge"], ["scan", "--json"], ["doctor", "more"],
        ["explain", "V6C-001", "V6C-002"], ["suite", "run", "--jobs", "0"], ["run", "--timeout", "soon", "true"],
    ]) func `an error begins with the program's name`(words: [String]) throws {
        let error = #expect(throws: (any Error).self) { _ = try IPv6Check.parseAsRoot(words) }
        let message = UsageMessage.of(try #require(error), in: IPv6Check.self)
        #expect(message.hasPrefix("ipv6check: ") && !message.contains("Error: "), Comment(rawValue: message))
        #expect(message.contains("\nUsage: ipv6check"))
    }

    @Test func `help is no error`() throws {
        let error = #expect(throws: (any Error).self) {
            var help = try IPv6Check.parseAsRoot(["suite", "check", "--help"])
            try help.run()
        }
        #expect(UsageMessage.of(try #require(error), in: IPv6Check.self).hasPrefix("OVERVIEW: "))
    }
}
