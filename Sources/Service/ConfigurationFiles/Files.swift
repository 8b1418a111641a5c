// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText

// Anything that can be read to its end counts as a file here, pipes too.

extension World {
    /// Reads a world file, and the files that it names.
    package init(
        file path: String, reading readFile: @escaping FileReading = readFile(_:maximum:)
    ) throws(WorldFileError) {
        self = try World(yaml: try readFile(path, YAMLText.maximumOctets), name: path, reading: readFile)
    }
}

extension TranslatorConfiguration {
    /// Reads a configuration file. Missing keys have the values of `TranslatorConfiguration()`.
    package init(file path: String) throws(YAMLFileError) {
        self = try TranslatorConfiguration(yaml: try readFile(path, maximum: YAMLText.maximumOctets), name: path)
    }
}

extension DaemonConfiguration {
    /// Reads a configuration file, and the files that it names. Missing keys have the values of `DaemonConfiguration()`.
    package init(
        file path: String, reading readFile: @escaping FileReading = readFile(_:maximum:)
    ) throws(YAMLFileError) {
        self = try DaemonConfiguration(yaml: try readFile(path, YAMLText.maximumOctets), name: path, reading: readFile)
    }
}
