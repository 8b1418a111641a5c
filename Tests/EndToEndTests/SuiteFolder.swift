import Foundation
import Testing
import TestSupport

/// A folder with a suite file in it.
struct SuiteFolder {
    private let folder: URL

    var path: String { folder.path }

    /// - Parameters:
    ///   - tests: the list of tests, with two blanks before each line.
    ///   - head: keys of the file before it.
    ///   - files: what else is in the folder; one that begins with `#!` can be run.
    init(_ tests: String, head: String = "", files: [String: String] = [:]) throws {
        folder = Binaries.scratch.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        try write(tests, head: head)
        for (name, contents) in files {
            let file = folder.appending(path: name)
            try Data(contents.utf8).write(to: file)
            if contents.hasPrefix("#!") {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            }
        }
    }

    func write(_ tests: String, head: String = "") throws {
        try Data("version: 1\nname: shop\n\(head)\ntests:\n\(tests)\n".utf8)
            .write(to: folder.appending(path: "ipv6check.yaml"))
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    func suite(
        _ options: String..., as user: User = .available[0], seconds: Int = 120, environment: [String: String] = [:]
    ) throws -> Output {
        try run(
            ["env", "-C", folder.path, Binaries.ipv6check, "suite"] + options, as: user, seconds: seconds,
            environment: environment)
    }
}
