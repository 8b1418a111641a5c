// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control

struct CountersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counters", abstract: "Show the daemon's counters.")

    @OptionGroup var control: ControlOptions

    @Flag(help: "Show those that are zero too.")
    var all = false

    func run() throws {
        try control.show(try control.ask { try await $0.counters() }, as: describe)
    }

    private func describe(_ counters: Listing<Counter>) -> String {
        table(
            ["COUNTER", "OF", "VALUE", "WHAT IT COUNTS"], numeric: [2],
            counters.items.filter { all || $0.value > 0 }.map { counter in
                let labels = counter.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return [
                    counter.name, labels.isEmpty ? "-" : labels.joined(separator: " "), "\(counter.value)",
                    counter.help,
                ]
            }
        )
    }
}
