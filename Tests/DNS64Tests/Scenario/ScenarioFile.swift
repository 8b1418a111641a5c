import DNSWire
import Foundation
import Testing

/// A scenario as text: keywords at the start of a line, with what belongs to them indented below. `fixtures/dns64/README.md`
/// describes the form.
struct ScenarioFile {
    struct Block {
        var line: Int
        var keyword: String
        var argument: String
        var body: [(line: Int, text: String)] = []
    }

    /// What is wrong with a scenario, or with what it was answered, and where.
    struct Failure: Error, CustomStringConvertible {
        var file: String
        var line: Int
        var text: String

        var description: String { "\(file):\(line): \(text)" }
    }

    let name: String
    let blocks: [Block]

    init(name: String, text: String) throws {
        self.name = name
        var blocks: [Block] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            // A comment is a semicolon at the start of a line or behind a blank; inside quotes none is needed here.
            let content = line.starts(with: ";") ? "" : String(line.prefix(upTo: Self.comment(in: line)))
            let trimmed = content.trimmingCharacters(in: .whitespaces)
            if trimmed.isEmpty { continue }
            if content.first == " " {
                guard !blocks.isEmpty else {
                    throw Failure(file: name, line: number, text: "an indented line needs a keyword above it")
                }
                blocks[blocks.count - 1].body.append((number, trimmed))
            } else {
                guard let colon = trimmed.firstIndex(of: ":") else {
                    throw Failure(file: name, line: number, text: "expected \"keyword: argument\"")
                }
                blocks.append(
                    Block(
                        line: number, keyword: String(trimmed[..<colon]),
                        argument: trimmed[trimmed.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
            }
        }
        self.blocks = blocks
    }

    private static func comment(in line: Substring) -> Substring.Index {
        line.range(of: " ;")?.lowerBound ?? line.endIndex
    }

    func failure(_ line: Int, _ text: String) -> Failure { Failure(file: name, line: line, text: text) }

    /// All scenarios in `fixtures/dns64`.
    static func all() throws -> [ScenarioFile] {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../fixtures/dns64").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }.map {
            try ScenarioFile(name: $0.lastPathComponent, text: String(contentsOf: $0, encoding: .utf8))
        }
    }
}

extension ScenarioFile: CustomTestStringConvertible {
    var testDescription: String { name }
}
