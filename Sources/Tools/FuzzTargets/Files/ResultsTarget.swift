// SPDX-License-Identifier: Apache-2.0
import TestResults

/// Any octets are a report with distinguishable tests, or cause an error message.
func fuzzResults(_ input: [UInt8]) throws(BrokenInvariant) {
    for format in ResultsFormat.allCases {
        let results = format.results(in: input)
        try require(results == format.results(in: input), "\(format): another result the second time")
        try require(!results.tests.isEmpty || results.problem != nil, "\(format): nothing, and no problem")
        let ids = Set(results.tests.map(\.id))
        try require(ids.count == results.tests.count, "\(format): two tests with one id")
        for test in results.tests {
            try require(!test.name.isEmpty && test.name.utf8.count <= 1000, "\(format): the name \"\(test.name)\"")
            try require(!test.name.contains { $0.isNewline }, "\(format): a name of two lines")
            try require(test.seconds >= 0 && test.seconds.isFinite, "\(format): \(test.seconds) s")
            try require(test.detail.utf8.count <= 4096, "\(format): a detail of \(test.detail.utf8.count) octets")
        }
    }
}
