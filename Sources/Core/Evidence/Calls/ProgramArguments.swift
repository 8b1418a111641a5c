// SPDX-License-Identifier: Apache-2.0
internal import Text

/// Programs that run text from their arguments.
package let shells: Set = ["sh", "bash", "dash", "zsh", "busybox"]

extension TracedProgram {
    /// Whether it is `sh -c COMMAND`: a suite's commands that are written as text start like this.
    package var isCommandOfShell: Bool { shells.contains(baseName(executable)) && arguments.dropFirst().first == "-c" }

    /// The place of an argument in the user's terms: the author of a shell command has counted no arguments.
    package func place(ofArgument index: Int) -> AddressOrigin.Place {
        isCommandOfShell && index == 2
            ? .command(shell: baseName(arguments[0])) : .argument(index, of: executable)
    }
}
