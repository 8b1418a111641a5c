/// The files that a world file names. Their paths begin at its folder.
struct NamedFiles {
    /// With its final slash; empty for the working directory.
    private let folder: String
    private let read: FileReading

    /// - Parameter name: the path of the world file.
    init(besides name: String, reading read: @escaping FileReading) {
        folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        self.read = read
    }

    func contents(of path: String, most: Int) throws(YAMLFileError) -> [UInt8] {
        try read(path.hasPrefix("/") ? path : folder + path, most)
    }
}
