// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// `--world`, for every command that simulates hosts.
package struct WorldFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The world file: hosts, records and services (default: the demo world).", valueName: "file"))
    package var world: String?

    package init() {}
}
