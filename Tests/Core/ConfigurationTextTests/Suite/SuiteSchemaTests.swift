// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import Suites
import Testing
import TestSupport

@testable import ConfigurationText

/// The schema for editors knows what the reader knows.
@Suite struct SuiteSchemaTests {
    private func schema() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: "\(projectRoot)docs/suite-schema.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func keys(_ definition: [String: Any]) throws -> [String] {
        #expect(definition["additionalProperties"] as? Bool == false)
        return try #require(definition["properties"] as? [String: Any]).keys.sorted()
    }

    @Test func `it has the same keys`() throws {
        let schema = try schema()
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        #expect(try keys(schema) == (["version"] + SuiteFileReader.keys).sorted())
        let defaults = try #require((schema["properties"] as? [String: Any])?["defaults"] as? [String: Any])
        #expect(try keys(defaults) == SuiteFileReader.defaultKeys.sorted())
        for (name, expected) in [
            ("test", SuiteFileReader.testKeys), ("expect", SuiteFileReader.expectationKeys),
            ("text", SuiteFileReader.textKeys), ("known", SuiteFileReader.knownKeys),
            ("server", SuiteFileReader.serverKeys), ("subject", SuiteFileReader.subjectKeys),
            ("ready", readyKeys), ("probe", SuiteFileReader.probeKeys),
            ("probeExpect", SuiteFileReader.probeExpectationKeys),
        ] {
            #expect(try keys(#require(definitions[name])) == expected.sorted(), "\(name)")
        }
    }

    @Test func `it has the same networks and profiles`() throws {
        let definitions = try #require(try schema()["$defs"] as? [String: [String: Any]])
        #expect(definitions["network"]?["enum"] as? [String] == Network.allCases.map(\.rawValue))
        let probe = try #require(definitions["probe"]?["properties"] as? [String: [String: Any]])
        #expect(probe["from"]?["enum"] as? [String] == Probe.Origin.allCases.map(\.rawValue))
        #expect(definitions["getaddrinfo"]?["enum"] as? [String] == GetaddrinfoProfile.allCases.map(\.rawValue))
        #expect(definitions["trace"]?["enum"] as? [String] == TracePolicy.allCases.map(\.rawValue))
        #expect(definitions["url-loading"]?["enum"] as? [String] == URLLoading.allCases.map(\.rawValue))
    }
}
