// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
package import Suites

extension Suite {
    /// The suite of `ipv6check --canaries`: a program is given one URL after the other that it must refuse, and some that it must fetch.
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
