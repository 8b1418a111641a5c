// SPDX-License-Identifier: Apache-2.0
/// How much larger the image is than the one that it stands on, where there is a container engine.
struct ImageSize {
    /// The root of the project's working copy.
    let source: String

    /// Megabytes.
    private static let aim = Aim.atMost(50)
    private static let name = "the image, over its base"
    /// The exit code of the script where no image can be made here.
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
