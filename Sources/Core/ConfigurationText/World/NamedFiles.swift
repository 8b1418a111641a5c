// SPDX-License-Identifier: Apache-2.0
/// The files that another file names. Their paths are relative to its folder.
struct NamedFiles {
    /// With its final slash; empty for the working directory.
    private let folder: String
    let read: FileReading

    /// - Parameter name: the path of the file that names them.
    init(besides name: String, reading read: @escaping FileReading) {
        folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        self.read = read
    }

    func contents(of path: String, maximum: Int) throws(YAMLFileError) -> [UInt8] {
        try read(self.path(of: path), maximum)
    }

    func path(of path: String) -> String { path.hasPrefix("/") ? path : folder + path }
}
