package import ConfigurationText

extension YAMLText {
    /// The contents of a file, a pipe or anything else that can be read to its end.
    package init(file path: String, of kind: String) throws(YAMLFileError) {
        self.init(try readFile(path, most: Self.mostOctets), name: path, of: kind)
    }
}

extension World {
    /// Reads a world file, and the files that it names.
    package init(file path: String) throws(WorldFileError) {
        self = try World(
            yaml: try readFile(path, most: YAMLText.mostOctets), name: path, reading: readFile(_:most:))
    }
}
