// SPDX-License-Identifier: Apache-2.0
package import Suites

/// The mistakes in a suite file.
package typealias SuiteFileError = YAMLFileError

extension Suite {
    /// Reads the text of a suite file, which is called `name` in errors.
    /// - Parameter rules: the numbers of all rules.
    package init(yaml octets: [UInt8], name: String, rules: [String]) throws(SuiteFileError) {
        let root = try YAMLText(octets, name: name, of: "a suite").root()
        var reader = SuiteFileReader(rules: rules)
        let suite = reader.read(root)
        if !reader.problems.isEmpty { throw SuiteFileError(file: name, problems: reader.problems) }
        // Without a problem there is always a suite.
        guard let suite else { throw SuiteFileError(file: name, "the file describes no suite") }
        self = suite
    }
}
