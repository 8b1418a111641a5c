// SPDX-License-Identifier: Apache-2.0
/// A supported format of test reports.
package enum ResultsFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case junit
    case tap
    case goTest = "go-test"

    /// Maximum octets of a report.
    package static let sizeLimit = 64 << 20

    /// Reads any report: an invalid one has a `problem` in its results.
    package func results(in octets: [UInt8]) -> InnerResults {
        if octets.count > Self.sizeLimit {
            return InnerResults(problem: "is larger than \(Self.sizeLimit >> 20) MiB")
        }
        var collector = InnerCollector()
        switch self {
        case .junit: JUnitReader.read(octets, into: &collector)
        case .tap: TAPReader.read(octets, into: &collector)
        case .goTest: GoTestReader.read(octets, into: &collector)
        }
        return collector.results
    }
}
