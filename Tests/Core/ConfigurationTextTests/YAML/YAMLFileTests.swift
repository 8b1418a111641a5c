// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import Testing

@Suite struct `A file that a person wrote` {
    /// Reads `{ size: …, colour: … }`, and nothing else.
    struct Reader: YAMLReader {
        var problems: [YAMLFileError.Problem] = []
        var fields: [String: YAMLNode]?
    }

    private func read(_ yaml: String) throws(YAMLFileError) -> Reader {
        var reader = Reader()
        reader.fields = reader.versionedFields(
            try YAMLText(Array(yaml.utf8), name: "f.yaml", of: "a form").root(), of: "a form",
            named: ["size", "colour"], contents: "size and colour")
        return reader
    }

    private func complaints(_ yaml: String) throws -> [String] {
        let problems = try read(yaml).problems
        return YAMLFileError(file: "f.yaml", problems: problems).description.split(separator: "\n").map(String.init)
    }

    @Test func `is read by its keys, with the place of each value`() throws {
        let fields = try #require(try read("version: 1\nsize: 3\ncolour: [red, blue]\n").fields)
        #expect(fields["size"]?.isText("3") == true)
        #expect(fields["colour"]?.position == SourcePosition(line: 3, column: 9))
    }

    @Test func `is told its mistakes in the order of the file, each with what would be right`() throws {
        #expect(
            try complaints("version: 1\nsise: 3\ncolor: red\nweight: 4\n") == [
                "f.yaml:2:1: unknown key \"sise\" (did you mean \"size\"?)",
                "f.yaml:3:1: unknown key \"color\" (did you mean \"colour\"?)",
                "f.yaml:4:1: unknown key \"weight\": a form has version, size and colour",
            ])
        #expect(try complaints("") == ["f.yaml:1:1: the file is empty: write version: 1, then size and colour"])
        #expect(try complaints("size: 3") == ["f.yaml:1:1: the version is missing: write version: 1 as the first line"])
    }

    @Test func `gets no more complaints than a person would read`() throws {
        let lines = (0..<500).map { "key\($0): 1" }.joined(separator: "\n")
        #expect(try complaints("version: 1\n" + lines).count == maximumProblems)
    }

    @Test func `is refused where it is too large`() {
        let text = YAMLText([UInt8](repeating: 0x20, count: YAMLText.maximumOctets + 1), name: "f.yaml", of: "a form")
        #expect(
            throws: YAMLFileError(
                file: "f.yaml", "the file is larger than 1048576 octets, the most a form may have")
        ) { _ = try text.root() }
    }
}
