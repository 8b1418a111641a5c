// SPDX-License-Identifier: Apache-2.0
/// The choice of the files and folders of a tree that are the user's own sources.
package enum FileChoice {
    private static let foreign: Set<String> = [
        "node_modules", "vendor", "third_party", "thirdparty", "external", "build", "dist", "out", "target", "venv",
        "__pycache__",
        "Pods", "Carthage", "DerivedData", "bower_components", "site-packages",
    ]

    private static let tests: Set<String> = [
        "test", "tests", "testing", "testdata", "__tests__", "spec", "specs", "mocks", "fixtures", "examples",
        "example", "docs",
        "doc",
        "bench", "benchmark", "benchmarks", "testenv", "sample", "samples", "demo", "demos",
    ]

    /// Whether to skip a folder: hidden ones, third-party code, build output, tests and examples.
    package static func skipsFolder(_ name: String) -> Bool {
        name.hasPrefix(".") || foreign.contains(name) || tests.contains(name.lowercased())
            || name.hasSuffix("Tests") || endsWithTest(name.lowercased()) || name.lowercased().hasPrefix("test-")
            || name.lowercased().hasPrefix("test_")
    }

    /// Whether to skip a file: a test by the conventions of its language, generated code that people do not read, or one for IPv4 by its
    /// name.
    package static func skipsFile(_ name: String) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        let lower = name.lowercased()
        if ["ipv4", "ip4", "inet4", "mock"].contains(where: { lower.contains($0) }) { return true }
        let stem = name[..<dot]
        return stem.hasPrefix("test") || stem.hasSuffix("_test") || stem.hasSuffix("-test") || stem.hasSuffix("Test")
            || stem.hasSuffix("Tests")
            || name.hasSuffix("test.py") || name.contains(".test.") || name.contains(".spec.")
            || name.contains(".min.")
    }

    private static func endsWithTest(_ name: String) -> Bool {
        ["-test", "_test", "-tests", "_tests"].contains { name.hasSuffix($0) }
    }
}
