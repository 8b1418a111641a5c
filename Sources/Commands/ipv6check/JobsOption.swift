// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `--jobs`, for commands that run many cases.
struct JobsOption: ParsableArguments {
    @Option(help: ArgumentHelp("Cases at a time (default: one more than there are cores).", valueName: "number"))
    var jobs: Int?

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs is a number from 1 to 1024") }
    }
}
