// SPDX-License-Identifier: Apache-2.0
extension DaemonConfiguration {
    /// Reads the text of a configuration file, which is called `name` in errors. Missing keys are as in `DaemonConfiguration()`.
    /// - Parameter readFile: reads the files that it names; without, it can name none.
    package init(
        yaml octets: [UInt8], name: String, reading readFile: @escaping FileReading = World.noFiles
    ) throws(YAMLFileError) {
        let text = YAMLText(octets, name: name, of: Self.kind)
        var reader = DaemonFileReader(files: NamedFiles(besides: name, reading: readFile))
        reader.read(try text.root())
        if !reader.problems.isEmpty { throw YAMLFileError(file: name, problems: reader.problems) }
        self = reader.configuration
    }

    static let kind = "a configuration"
}
