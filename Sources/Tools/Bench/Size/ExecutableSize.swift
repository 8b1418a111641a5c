import FoundationEssentials

/// How large the executable is without its symbols, as it is installed.
struct ExecutableSize {
    let ipv6check: String

    /// Megabytes.
    private static let aim = Aim.atMost(40)

    func measure() throws(BenchFailure) -> [Measurement] {
        if let absence = Program.absence(of: "strip") { return [Measurement(.size, Self.name, "MB", absence: absence)] }
        let stripped = try TemporaryFile()
        try ChildProcess.run("strip", "-o", stripped.path, ipv6check)
        guard let octets = try? FileManager.default.attributesOfItem(atPath: stripped.path)[.size] as? UInt64,
            octets > 0
        else {
            throw BenchFailure("strip has left nothing")
        }
        return Self.measurements(octets: Int(octets))
    }

    private static let name = "stripped"

    static func measurements(octets: Int) -> [Measurement] {
        [Measurement(.size, name, "MB", [Double(octets) / 1e6], aim: aim)]
    }
}
