// SPDX-License-Identifier: Apache-2.0
import Reports
import Testing

@Suite struct `A report is coloured` {
    private func isColoured(
        _ choice: ColourChoice = .auto, terminal: Bool = true, _ variables: [String: String] = [:]
    ) -> Bool {
        choice.isColoured(onTerminal: terminal) { variables[$0] }
    }

    @Test func `on a terminal, and not elsewhere`() {
        #expect(isColoured())
        #expect(!isColoured(terminal: false))
        #expect(!isColoured(["TERM": "dumb"]))
        #expect(isColoured(["TERM": "xterm", "CLICOLOR": "1"]))
        #expect(!isColoured(["CLICOLOR": "0"]))
        #expect(!isColoured(terminal: false, ["CLICOLOR": "1"]))
    }

    @Test func `where it is forced`() {
        #expect(isColoured(terminal: false, ["FORCE_COLOR": "1"]))
        #expect(isColoured(terminal: false, ["CLICOLOR_FORCE": "1", "TERM": "dumb"]))
        #expect(!isColoured(terminal: false, ["FORCE_COLOR": "0"]))
        #expect(!isColoured(terminal: false, ["CLICOLOR_FORCE": "0"]))
        #expect(!isColoured(terminal: false, ["FORCE_COLOR": ""]))
    }

    @Test func `not where it is forbidden`() {
        #expect(!isColoured(["NO_COLOR": "1"]))
        #expect(!isColoured(["NO_COLOR": "1", "FORCE_COLOR": "1"]))
        #expect(isColoured(["NO_COLOR": ""]))
    }

    @Test func `as the command line says, before all else`() {
        #expect(isColoured(.always, terminal: false, ["NO_COLOR": "1", "TERM": "dumb"]))
        #expect(!isColoured(.never, ["FORCE_COLOR": "1"]))
    }

    private func isColoured(_ variables: [String: String]) -> Bool { isColoured(.auto, variables) }
}
