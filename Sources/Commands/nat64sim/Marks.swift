// SPDX-License-Identifier: Apache-2.0
import Glibc
import Reports
import Sandbox

/// The first words of result lines on standard output.
struct Marks {
    let pass, skip, fail: String

    init(_ choice: ColourChoice) {
        let isColoured = choice.isColoured(onTerminal: isatty(STDOUT_FILENO) == 1) {
            Entry.inheritance.environment[$0]?.description
        }
        let style = TerminalStyle(isColoured: isColoured)
        pass = style.good("pass")
        skip = style.dim("skip")
        fail = style.bad("FAIL")
    }
}
