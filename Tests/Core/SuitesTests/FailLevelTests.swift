// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Testing

@testable import Suites

@Suite struct FailLevelTests {
    @Test(
        arguments: [
            (FailLevel.error, [Severity.error, .warning]), (.warning, [.error, .warning]),
            (.note, [.error, .warning, .note]),
        ]) func `notes are looked at where somebody asks for them`(_ level: FailLevel, _ expected: [Severity])
    {
        #expect(Severity.allCases.filter(level.regards) == expected)
    }

    @Test func `its words are those of suite files`() {
        #expect(FailLevel.allCases.map(\.rawValue) == ["error", "warning", "note"])
    }
}
