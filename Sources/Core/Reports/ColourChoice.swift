// SPDX-License-Identifier: Apache-2.0
/// When to colour output to a terminal.
package enum ColourChoice: String, Sendable, CaseIterable {
    case auto
    case always
    case never

    /// The only place where this is decided. The command line comes first; then NO_COLOR (https://no-color.org) before FORCE_COLOR
    /// (https://force-color.org) and CLICOLOR_FORCE, before TERM=dumb and CLICOLOR=0 (https://bixense.com/clicolors), before whether there
    /// is a terminal at all.
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
            // 0 only stops forcing; it does not forbid colour.
            if let value = variable(name), value != "0", value != "false" { return true }
        }
        return isTerminal && variable("TERM") != "dumb" && variable("CLICOLOR") != "0"
    }
}
