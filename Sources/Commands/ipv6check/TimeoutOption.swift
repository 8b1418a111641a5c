// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Terminal
import Text

/// `--timeout`, for commands that run a client once.
struct TimeoutOption: ParsableArguments {
    static let range = Duration.milliseconds(1)...(.seconds(30 * 86_400))
    static let read = WrittenDuration.within(range, said: "of up to 30 days")

    @Option(
        help: ArgumentHelp("Kill the client after this time: 30, 1.5, 30s, 5m.", valueName: "time"),
        transform: TimeoutOption.read)
    var timeout: WrittenDuration?
}
