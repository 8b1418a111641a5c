extension World {
    /// The world of `fixtures/worlds/demo.yaml`, which is built in (`demo.yaml` beside the sources is a link to it).
    package static let demo: World = {
        do throws(WorldFileError) {
            return try World(yaml: PackageResources.demo_yaml, name: "demo.yaml")
        } catch {
            preconditionFailure("the built-in world is broken: \(error)")
        }
    }()
}
