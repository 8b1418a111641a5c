// SPDX-License-Identifier: Apache-2.0
/// The mistakes in a world file.
package typealias WorldFileError = YAMLFileError

extension World {
    /// Reads the text of a world file, which is called `name` in errors.
    /// - Parameter readFile: reads the files that it names; without, it can name none.
    package init(
        yaml octets: [UInt8], name: String, reading readFile: @escaping FileReading = World.noFiles
    ) throws(WorldFileError) {
        let text = YAMLText(octets, name: name, of: "a world")
        var reader = WorldFileReader(files: NamedFiles(besides: name, reading: readFile))
        reader.read(try text.root())
        var assembly = WorldAssembly()
        var world = assembly.assemble(reader)
        let problems = reader.problems + assembly.problems
        if !problems.isEmpty { throw WorldFileError(file: name, problems: problems) }
        world.dns64 = reader.dns64
        self = world
    }

    /// Reads a world file that another file names.
    init(file path: String, among files: NamedFiles) throws(WorldFileError) {
        self = try World(
            yaml: try files.contents(of: path, maximum: YAMLText.maximumOctets), name: files.path(of: path),
            reading: files.read)
    }

    package static func noFiles(_ path: String, _ maximum: Int) throws(YAMLFileError) -> [UInt8] {
        throw YAMLFileError(file: path, "no other file can be read here")
    }
}
