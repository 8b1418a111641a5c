// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Sandbox
import SuiteRunner
import Terminal

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge shard results into one verdict.",
        usage: "ipv6check merge [options] RESULTS …",
        discussion: """
            RESULTS are files of ipv6check suite --shard K/N --results FILE, or logs with their lines in them; - is standard \
            input. A case that no shard has a result of is an error, and so the exit code is not 0. The exit codes are those of \
            ipv6check suite.
            """)

    @Argument(help: "The results.")
    var results: [String]

    @Option(help: ArgumentHelp("How many shards there must be (default: as the results say).", valueName: "number"))
    var shards: Int?

    @OptionGroup var reports: ReportOptions
    @OptionGroup var colour: ColourOptions

    func run() throws {
        let merge = Merge(
            paths: results, shards: shards, reports: reports.paths(results: nil), annotations: reports.annotations,
            colour: colour.color)
        Glibc.exit(try merge.run(Entry.inheritance.environment))
    }
}
