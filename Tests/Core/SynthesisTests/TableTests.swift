// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Every question of the table to every profile, through the preloaded shim, against the twin.
@Suite("The table of questions", .enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct TableTests {
    static let questions = Questions.table + Questions.corners
    static let input = questions.map(\.line).joined(separator: "\n") + "\n"
    static let profiles = ["apple", "apple-ios9", "android", "chromium", "linux"]
    static let networks = [
        ["64:ff9b::/96"], ["2001:db8:64::/64"], ["64:ff9b::/96", "2001:db8:122::/48"], [],
    ]

    /// The answers of each host without the shim.
    static let plainOnIPv6Only = Result { try answers(on: .ipv6Only) }
    static let plainOnIPv4Only = Result { try answers(on: .ipv4Only) }

    static func answers(
        on host: Host, preload: [String] = [], environment: [String: String] = [:]
    ) throws -> [Substring] {
        var host = host
        host.hosts = Questions.hosts
        let ask = try Toolchain.helper("ask")
        let outcome = try host.run([ask], preload: preload, environment: environment, input: input).successful()
        let lines = outcome.text.split(separator: "\n")
        try #require(lines.count == questions.count)
        return lines
    }

    static func twin(
        _ profile: String, _ prefixes: [String], hasIPv6: Bool, plain: [Substring]
    ) throws -> Twin {
        Twin(
            profile: profile, prefixes: prefixes.map { Twin.Prefix(text: $0) }, hasIPv6: hasIPv6,
            plain: Dictionary(zip(questions, plain)) { first, _ in first },
            ports: servicePorts(try String(contentsOfFile: "/etc/services", encoding: .utf8)))
    }

    private func compare(_ answers: [Substring], with twin: Twin) {
        var wrong: [String] = []
        for (question, answer) in zip(Self.questions, answers) {
            let expected = twin.answer(to: question)
            if answer != expected { wrong.append("\(question.line)\n    expected \(expected)\n    got      \(answer)") }
        }
        let count = wrong.count
        #expect(count == 0, "the first: \(wrong.prefix(5).joined(separator: "\n"))")
    }

    @Test(arguments: profiles, networks)
    func `On an IPv6-only host every answer is the twin's`(profile: String, prefixes: [String]) throws {
        let environment = [
            "IPV6CHECK_GETADDRINFO": profile,
            "IPV6CHECK_PREF64": prefixes.isEmpty ? "none" : prefixes.joined(separator: ","),
        ]
        let answers = try Self.answers(
            on: .ipv6Only, preload: [try Toolchain.shim.get()], environment: environment)
        compare(
            answers, with: try Self.twin(profile, prefixes, hasIPv6: true, plain: try Self.plainOnIPv6Only.get()))
    }

    @Test(arguments: ["apple", "apple-ios9"])
    func `On a host without an IPv6 address Apple's getaddrinfo synthesises nothing`(profile: String) throws {
        let answers = try Self.answers(
            on: .ipv4Only, preload: [try Toolchain.shim.get()],
            environment: ["IPV6CHECK_GETADDRINFO": profile, "IPV6CHECK_PREF64": "64:ff9b::/96"])
        compare(
            answers,
            with: try Self.twin(profile, ["64:ff9b::/96"], hasIPv6: false, plain: try Self.plainOnIPv4Only.get()))
    }

    @Test
    func `Without a profile named, the answers are Apple's`() throws {
        let shim = [try Toolchain.shim.get()]
        let prefix = ["IPV6CHECK_PREF64": "64:ff9b::/96"]
        let named = ["IPV6CHECK_GETADDRINFO": "apple"].merging(prefix) { $1 }
        let answers = try Self.answers(on: .ipv6Only, preload: shim, environment: prefix)
        #expect(try answers == Self.answers(on: .ipv6Only, preload: shim, environment: named))
    }
}
