// SPDX-License-Identifier: Apache-2.0
/// When to colour what goes to a terminal.
package enum ColourChoice: String, Sendable, CaseIterable {
    case auto
    case always
    case never

    /// The one place where it is decided. What the user says on the command line comes first; then NO_COLOR
    /// (https://no-color.org) before FORCE_COLOR (https://force-color.org) and CLICOLOR_FORCE, before TERM=dumb and CLICOLOR=0
    /// (https://bixense.com/clicolors), before whether there is a terminal at all.
    /// - Parameter variable: the value of an environment variable.
    package func isColoured(onTerminal isTerminal: Bool, variable: (String) -> String?) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }
        if isSet("NO_COLOR") { return false }
        for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] where isSet(name) {
            // 0 takes the force away, nothing more.
            if let value = variable(name), value != "0", value != "false" { return true }
        }
        return isTerminal && variable("TERM") != "dumb" && variable("CLICOLOR") != "0"
    }
}
