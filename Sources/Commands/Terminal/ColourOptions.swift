// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
package import Reports

extension ColourChoice: ExpressibleByArgument {}

/// `--color`, the same for every command with coloured output.
package struct ColourOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colour the report: auto (on a terminal; NO_COLOR, FORCE_COLOR, CLICOLOR and CLICOLOR_FORCE count), always or never.",
            valueName: "when"))
    package var color = ColourChoice.auto

    package init() {}
}
