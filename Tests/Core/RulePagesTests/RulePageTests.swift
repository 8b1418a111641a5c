// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Reports
import RulePages
import Testing

struct RulePageTests {
    @Test func `every rule has a page, with the rule's own title`() {
        for rule in Catalogue.all {
            #expect(RulePage.find(rule.id)?.title == rule.title, "run scripts/rule-pages")
        }
    }

    @Test(arguments: ["V6C-001", "v6c-001", "V6C-1", "v6c1", "1", "001"])
    func `a number is understood however it is written`(word: String) {
        #expect(RulePage.find(word)?.id == "V6C-001")
    }

    @Test(arguments: ["", "V6C-", "V6C-9999", "-1", "x", "١", "18446744073709551616"])
    func `what is no number is no rule`(word: String) {
        #expect(RulePage.find(word) == nil)
    }

    @Test func `a wrong number gets the nearest one`() {
        #expect(RulePage.unknown("V6C-0001x") == "V6C-0001x is no rule (did you mean V6C-001?)")
        #expect(RulePage.unknown("frobnicate") == "frobnicate is no rule; 'ipv6check explain' lists them")
    }

    @Test func `code stays, paragraphs are filled, links are their texts`() throws {
        let page = RulePage(
            id: "V6C-999",
            text: "# V6C-999: does it\n\nOne [two](V6C-001.md) three\nfour **five** six.\n\n```c\nint  a =\n  b;\n```\n"
        )
        let text = page.rendered(TerminalStyle(isColoured: false, width: 16))
        #expect(
            text == "V6C-999: does it\n\nOne two three\nfour five six.\n\n    int  a =\n      b;\n")
    }

    @Test func `without a terminal there are neither colours nor line breaks`() throws {
        let text = try #require(RulePage.find("1")).rendered(TerminalStyle(isColoured: false))
        #expect(!text.contains("\u{1b}"))
        #expect(text.contains("    return socket.create_connection((host, port), timeout=10)"))
    }
}
