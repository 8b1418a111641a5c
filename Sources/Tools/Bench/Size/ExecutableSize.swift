// SPDX-License-Identifier: Apache-2.0
/// The size of the executable without symbols, as installed.
struct ExecutableSize {
    let ipv6check: String

    /// Megabytes.
    private static let aim = Aim.atMost(40)

    func measure() throws(BenchFailure) -> [Measurement] {
        if let absence = ForeignProgram.absence(of: "strip") {
            return [Measurement(.size, Self.name, "MB", absence: absence)]
        }
        let stripped = try TemporaryFile()
        try ChildProcess.run("strip", "-o", stripped.path, ipv6check)
        let said = try ChildProcess.run("stat", "--format", "%s", stripped.path)
        guard let octets = Int(said.filter(\.isNumber)), octets > 0 else {
            throw BenchFailure("strip has left nothing")
        }
        return Self.measurements(octets: octets)
    }

    private static let name = "stripped"

    static func measurements(octets: Int) -> [Measurement] {
        [Measurement(.size, name, "MB", [Double(octets) / 1e6], aim: aim)]
    }
}
