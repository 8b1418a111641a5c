// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `--simulator`, for every command that needs a network.
struct SimulatorOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "unix:PATH is the attach socket of a running nat64sim serve, which is used then; own is a simulator for this command (default: IPV6CHECK_SIMULATOR, else own).",
            valueName: "where"))
    var simulator: String?
}
