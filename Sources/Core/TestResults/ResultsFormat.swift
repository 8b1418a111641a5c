// SPDX-License-Identifier: Apache-2.0
/// A format of test reports that is understood.
package enum ResultsFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case junit
    case tap
    case goTest = "go-test"

    /// Octets of a report that are read.
    package static let sizeLimit = 64 << 20

    /// Reads a report, however it is made: what makes no sense is a `problem` of the results.
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
