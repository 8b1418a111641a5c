import SystemPackage
package import YAMLFile

/// What is wrong with a world file.
package typealias WorldFileError = YAMLFileError

extension World {
    /// Reads a world file.
    package init(file path: String) throws(WorldFileError) {
        self = try World(YAMLText(file: path, of: "a world"))
    }

    /// Reads the text of a world file, which is called `name` where something is wrong with it.
    package init(yaml octets: [UInt8], name: String) throws(WorldFileError) {
        self = try World(YAMLText(octets, name: name, of: "a world"))
    }

    private init(_ text: YAMLText) throws(WorldFileError) {
        var reader = WorldFileReader(folder: FilePath(text.name).removingLastComponent())
        reader.read(try text.root())
        var assembly = WorldAssembly()
        var world = assembly.assemble(reader)
        let problems = reader.problems + assembly.problems
        if !problems.isEmpty { throw WorldFileError(file: text.name, problems: problems) }
        world.dns64 = reader.dns64
        self = world
    }
}
