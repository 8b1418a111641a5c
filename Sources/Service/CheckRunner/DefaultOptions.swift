// SPDX-License-Identifier: Apache-2.0
package import Sandbox

/// Options for every check of a job, as pytest has PYTEST_ADDOPTS. They are in no file: a verdict should not depend on the folder in which
/// a check was started, and a variable shows in a job's log.
package enum DefaultOptions {
    package static let variable = "IPV6CHECK_OPTIONS"

    /// The words of the variable's value, separated by blanks.
    package static func words(_ environment: Environment) -> [String] {
        environment[variable].map { "\($0)".split(whereSeparator: \.isWhitespace).map(String.init) } ?? []
    }
}
