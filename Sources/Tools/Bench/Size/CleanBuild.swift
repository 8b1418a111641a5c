// SPDX-License-Identifier: Apache-2.0
/// The time of a release build of the committed sources. Dependencies are fetched before.
struct CleanBuild {
    /// The root of the project's working copy.
    let source: String

    /// Seconds.
    private static let aim = Aim.atMost(240)

    func measure() throws(BenchFailure) -> [Measurement] {
        let folder = try TemporaryFolder()
        let clone = folder.path + "/clone"
        try ChildProcess.run("git", "clone", "--quiet", "--depth", "1", "file://\(source)", clone)
        try ChildProcess.run("swift", "package", "--package-path", clone, "resolve")
        return Self.measurements(
            try RunCost(of: [
                "bash", "-c", ". \"$1\"/scripts/lib/prerequisites.sh && build_release ipv6check", "bash", clone,
            ]))
    }

    static func measurements(_ cost: RunCost) -> [Measurement] {
        [
            Measurement(.build, "elapsed", "s", [cost.elapsed], aim: aim),
            Measurement(.build, "processor time", "s", [cost.processor]),
        ]
    }
}
