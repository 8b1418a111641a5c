// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The tests' builds outside SwiftPM: the shim as a library to preload, and small C programs to load it into.
enum Toolchain {
    static let root = URL(filePath: projectRoot)

    /// Products stay in .build, so that a second run finds them.
    static let products = root.appending(path: ".build/shim")
    static let helpers = root.appending(path: "Tests/Core/SynthesisTests/Helpers")
    static let clients = root.appending(path: "fixtures/clients")

    /// The shim for this machine's libc.
    static let shim: Result<String, any Error> = Result {
        try run(["/bin/bash", root.appending(path: "scripts/build-shim").path, products.path]).successful()
        return products.appending(path: "libipv6synth.so").path
    }

    /// Compiles one C or Swift source into a program, unless it is there and newer than its source.
    static func build(
        _ source: URL, as name: String,
        with compiler: [String] = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-g"],
        flags: [String] = []
    ) throws -> String {
        let product = products.appending(path: name)
        if try modified(product).map({ try $0 >= modified(source) ?? .distantFuture }) ?? false { return product.path }
        try FileManager.default.createDirectory(
            at: product.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Tests run side by side: the program appears at once and whole.
        let unfinished = product.path + ".\(UUID().uuidString)"
        try run(["/usr/bin/env"] + compiler + ["-o", unfinished, source.path] + flags).successful()
        guard unsafe rename(unfinished, product.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return product.path
    }

    static func helper(_ name: String, as product: String? = nil, flags: [String] = ["-pthread"]) throws -> String {
        try build(helpers.appending(path: name + ".c"), as: product ?? name, flags: flags)
    }

    private static func modified(_ file: URL) throws -> Date? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
}

/// Runs a program to its end, with few variables besides those given.
func run(_ command: [String], environment: [String: String] = [:], input: String = "") throws -> ProgramEnd {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try runToEnd(
        command, environment: ["PATH": path + ":/usr/sbin:/sbin", "LC_ALL": "C"].merging(environment) { $1 },
        input: Data(input.utf8))
}
