// SPDX-License-Identifier: Apache-2.0
package import Sandbox

/// Options for every check of a job, as pytest has PYTEST_ADDOPTS. There is no file of them: a verdict should not hang on the folder in which
/// a check was started, and a variable is seen in a job's log.
package enum DefaultOptions {
    package static let variable = "IPV6CHECK_OPTIONS"

    /// The words of the variable's value, which are between blanks.
    package static func words(_ environment: Environment) -> [String] {
        environment[variable].map { "\($0)".split(whereSeparator: \.isWhitespace).map(String.init) } ?? []
    }
}
