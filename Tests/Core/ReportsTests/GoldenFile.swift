// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import TestSupport
import Text

/// Compares `text` with `fixtures/reports/NAME`. To accept a new text, run the tests with UPDATE_GOLDEN=1 and read the diff.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    // A release changes no golden file.
    let text = text.replacing("\"version\" : \"\(ProgramVersion.current)\"", with: "\"version\" : \"VERSION\"")
    let path = "\(projectRoot)fixtures/reports/\(name)"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
    let golden = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(text == golden, sourceLocation: sourceLocation)
}
