// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import RulePages
import Sandbox
import Terminal

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain a rule: what was seen, why it fails, how to fix it.",
        usage: "ipv6check explain [V6C-nnn]",
        discussion: """
            Prints the rule's page, which docs/rules has as well; without a number, the list of the rules. V6C-001, v6c-1 and 1 \
            are the same rule.
            """)

    @Argument(
        help: ArgumentHelp("The number of a rule.", valueName: "rule"), completion: .list(RulePage.ids))
    var rule: String?

    @OptionGroup var colour: ColourOptions

    func run() throws {
        let style = Console.outputStyle(Entry.inheritance.environment, colour.color)
        guard let rule else { return print(RulePage.list(style), terminator: "") }
        guard let page = RulePage.find(rule) else { throw CheckFailure(RulePage.unknown(rule), .usage) }
        print(page.rendered(style), terminator: "")
    }
}
