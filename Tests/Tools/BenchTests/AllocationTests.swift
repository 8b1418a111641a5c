// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import Bench

@Suite("Allocations of the data path")
struct AllocationTests {
    /// The optimiser takes part in it: the debug build that tests are made of does allocate.
    @Test(.enabled("needs the release build; run scripts/test") { releaseBuild != nil })
    func `A packet of a session that stands makes the release build of the NAT64 allocate nothing`() throws {
        let results = try TemporaryFile()
        try ChildProcess.run(#require(Self.releaseBuild), "packets", "--rounds", "1", "--json", results.path)
        let report = try JSONDecoder().decode(Results.self, from: Data(results.contents.utf8))
        #expect(report.notes == [])
        let allocations = try #require(report.results.first { $0.name.hasPrefix("allocations") })
        #expect(allocations.samples == [0])
    }

    private static var releaseBuild: String? {
        guard let folder = ProcessInfo.processInfo.environment["IPV6CHECK_BINARIES"] else { return nil }
        let path = folder + "/Bench"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    private struct Results: Decodable {
        struct Result: Decodable {
            var name: String
            var samples: [Double]
        }
        var notes: [String]
        var results: [Result]
    }
}
