// SPDX-License-Identifier: Apache-2.0
/// The size of the image without that of its base image, if there is a container engine.
struct ImageSize {
    /// The root of the project's working copy.
    let source: String

    /// Megabytes.
    private static let aim = Aim.atMost(50)
    private static let name = "the image, over its base"
    /// The script's exit code if no image can be made here.
    private static let noEngine: Int32 = 3

    func measure() throws(BenchFailure) -> [Measurement] {
        var script = try ChildProcess([source + "/scripts/lib/image-size"], output: .read)
        let said = script.readAll()
        let status = script.wait()
        guard status == 0, let octets = Int(said.filter(\.isNumber)) else {
            let reason = status == Self.noEngine ? "no container engine, or no base image" : "it could not be built"
            return [Measurement(.size, Self.name, "MB", absence: reason)]
        }
        return Self.measurements(octets: octets)
    }

    static func measurements(octets: Int) -> [Measurement] {
        [Measurement(.size, name, "MB", [Double(octets) / 1e6], aim: aim)]
    }
}
