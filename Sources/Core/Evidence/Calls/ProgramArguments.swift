// SPDX-License-Identifier: Apache-2.0
internal import Text

/// Programs that run what they are given as text.
package let shells: Set = ["sh", "bash", "dash", "zsh", "busybox"]

extension TracedProgram {
    /// Whether it is `sh -c COMMAND`, as suites start what is written as text.
    package var isCommandOfShell: Bool { shells.contains(baseName(executable)) && arguments.dropFirst().first == "-c" }

    /// Where an argument stands, in words that its user knows: who wrote a command for a shell counted no arguments.
    package func place(ofArgument index: Int) -> AddressOrigin.Place {
        isCommandOfShell && index == 2
            ? .command(shell: baseName(arguments[0])) : .argument(index, of: executable)
    }
}
