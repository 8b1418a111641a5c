// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control

struct FaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults", abstract: "Show, add and remove faults of the DNS64.",
        subcommands: [List.self, Add.self, Remove.self, Clear.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the faults that are on.")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.show(try control.ask { try await $0.faults() }, as: table)
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switch a fault on.",
            discussion: """
                A fault is NAME TYPE TRANSPORT NUMBERS EFFECT, with `any` for what does not matter: \
                nat64sim faults add '*.shop.test' AAAA any any rcode SERVFAIL
                """)

        @OptionGroup var control: ControlOptions

        @Argument(help: ArgumentHelp("The fault, as one word or as several.", valueName: "fault"))
        var words: [String]

        func run() throws {
            let fault = words.joined(separator: " ")
            let added = try control.ask { try await $0.addFault(fault) }
            try control.show(added) { table(Listing([$0])) }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Switch faults off.")

        @OptionGroup var control: ControlOptions

        @Argument(help: ArgumentHelp("The faults' numbers, as `nat64sim faults` shows them.", valueName: "id"))
        var ids: [UInt64]

        func run() throws {
            let ids = ids
            try control.ask { daemon in
                for id in ids { try await daemon.removeFault(id) }
            }
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Switch all faults off.")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.ask { try await $0.removeAllFaults() }
        }
    }
}

private func table(_ faults: Listing<FaultEntry>) -> String {
    table(["ID", "FAULT"], faults.items.map { ["\($0.id)", $0.fault] })
}
