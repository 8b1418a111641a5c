// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Diagnosis

/// The options for a check's report files, and for the findings that fail it.
struct CheckReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the report to this file as JSON; - is standard output, and what the client writes there goes to standard error.",
            valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report to this file as a page of HTML.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write the hosts that the client named or went to, and by which IP, to this file: a list, or CycloneDX where it ends in .json.",
            valueName: "file"))
    var hosts: String?

    @Option(
        help: ArgumentHelp(
            "Also fail a passing program that has a finding of this severity or higher.",
            valueName: "level"))
    var failOn: Severity?

    @Flag(name: .shortAndLong, help: "Print nothing if the client passes, one line if it fails.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show every query and flow, and the output of further runs.")
    var verbose = false

    func validate() throws {
        let onStandardOutput = [("--json", json), ("--html", html), ("--hosts", hosts)].filter { $0.1 == "-" }.map(\.0)
        if onStandardOutput.count > 1 {
            throw ValidationError("\(onStandardOutput[0]) and \(onStandardOutput[1]) cannot both be standard output")
        }
        if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other; give one of them") }
    }
}
