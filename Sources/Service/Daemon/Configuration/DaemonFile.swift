import ConfigurationFiles
package import ConfigurationText

extension DaemonConfiguration {
    /// Reads a configuration file. What it does not say is as in `DaemonConfiguration()`.
    package init(file path: String) throws(YAMLFileError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        self = try DaemonConfiguration(YAMLText(file: path, of: Self.kind), folder: folder)
    }

    /// Reads the text of a configuration file, which is called `name` where something is wrong with it.
    /// - Parameter folder: where the files are that it names by a relative path; with its final slash.
    package init(yaml octets: [UInt8], name: String, folder: String = "") throws(YAMLFileError) {
        self = try DaemonConfiguration(YAMLText(octets, name: name, of: Self.kind), folder: folder)
    }

    private static let kind = "a configuration"

    private init(_ text: YAMLText, folder: String) throws(YAMLFileError) {
        var reader = DaemonFileReader(folder: folder)
        reader.read(try text.root())
        if !reader.problems.isEmpty { throw YAMLFileError(file: text.name, problems: reader.problems) }
        self = reader.configuration
    }
}
