import Foundation
import TestSupport

/// What the tests build outside SwiftPM: the shim as a library to preload, and small C programs to load it into.
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
        try FileManager.default.createDirectory(at: products, withIntermediateDirectories: true)
        // Tests run side by side: the program appears at once and whole.
        let unfinished = product.path + ".\(UUID().uuidString)"
        try run(["/usr/bin/env"] + compiler + ["-o", unfinished, source.path] + flags).successful()
        guard unsafe rename(unfinished, product.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return product.path
    }

    static func helper(_ name: String, as product: String? = nil, flags: [String] = ["-pthread"]) throws -> String {
        try build(helpers.appending(path: name + ".c"), as: product ?? name, flags: flags)
    }

    /// Whether there is a program of this name; tests that need one are skipped without it, visibly.
    static func has(_ program: String) -> Bool {
        (try? run(["/bin/sh", "-c", "command -v \(program)"]).status) == 0
    }

    private static func modified(_ file: URL) throws -> Date? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
}

/// What a program left behind.
struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    @discardableResult
    func successful() throws -> Outcome {
        guard status == 0 else { throw Failure(description: "status \(status): \(errors.suffix(2000))") }
        return self
    }
}

/// Runs a program to its end. Its streams are files: none of them can fill up and block.
func run(_ command: [String], environment: [String: String] = [:], input: String = "") throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "synthesis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = ["input", "output", "errors"].map { folder.appending(path: $0) }
    try Data(input.utf8).write(to: names[0])
    for name in names.dropFirst() { try Data().write(to: name) }

    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ["PATH": path + ":/usr/sbin:/sbin", "LC_ALL": "C"].merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    try process.run()
    process.waitUntilExit()
    func text(_ file: URL) throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
    let signalled = process.terminationReason == .uncaughtSignal
    return Outcome(
        status: process.terminationStatus + (signalled ? 128 : 0), output: try text(names[1]),
        errors: try text(names[2]))
}
