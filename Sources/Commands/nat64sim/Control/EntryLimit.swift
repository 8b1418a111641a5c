// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control

/// Maximum number of entries or lines that a command requests.
struct EntryLimit: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp("Show at most this many, up to \(ControlLimits.maximumEntries).", valueName: "n"))
    var value = ControlLimits.usualEntries

    func validate() throws {
        guard (1...ControlLimits.maximumEntries).contains(value) else {
            throw ValidationError("--limit takes a number from 1 to \(ControlLimits.maximumEntries)")
        }
    }
}
