// SPDX-License-Identifier: Apache-2.0
import Reports
import Suites

/// The command of a test as it could be typed in a shell.
enum CommandText {
    static func of(_ command: SuiteTest.Command) -> String {
        switch command {
        case .words(let words): shellQuoted(words)
        case .shell(let line): line
        }
    }
}
