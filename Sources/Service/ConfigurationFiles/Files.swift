package import ConfigurationText

// Whatever can be read to its end is a file here: pipes too.

extension World {
    /// Reads a world file, and the files that it names.
    package init(file path: String) throws(WorldFileError) {
        self = try World(yaml: try readConfiguration(path), name: path, reading: readFile(_:maximum:))
    }
}

extension GatewayConfiguration {
    /// Reads a configuration file. What it does not say is as in `GatewayConfiguration()`.
    package init(file path: String) throws(YAMLFileError) {
        self = try GatewayConfiguration(yaml: try readConfiguration(path), name: path)
    }
}

extension DaemonConfiguration {
    /// Reads a configuration file, and the files that it names. What it does not say is as in `DaemonConfiguration()`.
    package init(file path: String) throws(YAMLFileError) {
        self = try DaemonConfiguration(yaml: try readConfiguration(path), name: path, reading: readFile(_:maximum:))
    }
}

private func readConfiguration(_ path: String) throws(YAMLFileError) -> [UInt8] {
    try readFile(path, maximum: YAMLText.maximumOctets)
}
