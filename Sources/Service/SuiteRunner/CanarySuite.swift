// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
package import Suites

extension Suite {
    /// What `ipv6check --canaries` runs: a program that is given one URL after the other that it is to refuse, and some that it is to fetch.
    package static func canaries(_ command: [String], timeout: Duration?) throws(CheckFailure) -> Suite {
        var test = SuiteTest(name: "", command: .words(command))
        test.timeout = timeout ?? .seconds(30)
        if !test.takesURL {
            throw CheckFailure(
                "no word of the command has \(SuiteTest.urlPlaceholder), where the URL goes: write ipv6check --canaries -- "
                    + "\(command.joined(separator: " ")) '\(SuiteTest.urlPlaceholder)', or have it read $\(SuiteTest.urlVariable)",
                .usage)
        }
        return Suite(name: "canaries", tests: test.canaryTests)
    }
}
