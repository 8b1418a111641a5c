// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText

// Whatever can be read to its end is a file here: pipes too.

extension World {
    /// Reads a world file, and the files that it names.
    package init(
        file path: String, reading readFile: @escaping FileReading = readFile(_:maximum:)
    ) throws(WorldFileError) {
        self = try World(yaml: try readFile(path, YAMLText.maximumOctets), name: path, reading: readFile)
    }
}

extension TranslatorConfiguration {
    /// Reads a configuration file. What it does not say is as in `TranslatorConfiguration()`.
    package init(file path: String) throws(YAMLFileError) {
        self = try TranslatorConfiguration(yaml: try readFile(path, maximum: YAMLText.maximumOctets), name: path)
    }
}

extension DaemonConfiguration {
    /// Reads a configuration file, and the files that it names. What it does not say is as in `DaemonConfiguration()`.
    package init(
        file path: String, reading readFile: @escaping FileReading = readFile(_:maximum:)
    ) throws(YAMLFileError) {
        self = try DaemonConfiguration(yaml: try readFile(path, YAMLText.maximumOctets), name: path, reading: readFile)
    }
}
