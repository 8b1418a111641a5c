// SPDX-License-Identifier: Apache-2.0
extension Suite {
    /// Reads the files that outputs are compared with.
    /// - Parameter read: the contents of a file.
    package mutating func takeExpectedTexts<Failure: Error>(_ read: (String) throws(Failure) -> [UInt8]) throws(Failure)
    {
        func filled(_ texts: [TextExpectation]) throws(Failure) -> [TextExpectation] {
            var result: [TextExpectation] = []
            for text in texts {
                guard case .file(let path, _) = text else {
                    result.append(text)
                    continue
                }
                result.append(.file(path, contents: String(decoding: try read(path), as: UTF8.self)))
            }
            return result
        }
        for index in tests.indices {
            tests[index].expectations.output = try filled(tests[index].expectations.output)
            tests[index].expectations.errors = try filled(tests[index].expectations.errors)
            tests[index].expectations.log = try filled(tests[index].expectations.log)
            for probe in tests[index].probes.indices {
                tests[index].probes[probe].body = try filled(tests[index].probes[probe].body)
            }
        }
    }
}
