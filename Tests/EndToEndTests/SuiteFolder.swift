// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A folder with a suite file, in which `ipv6check` commands run.
struct SuiteFolder {
    let url: URL

    /// The head of a suite whose tests need no network.
    static let offline = "defaults: { offline: true }"

    /// - Parameters:
    ///   - tests: the list of tests, as in the file.
    ///   - head: further keys of the file.
    ///   - files: further files; one that begins with `#!` is made executable.
    init(_ tests: String, head: String = "", files: [String: String] = [:]) throws {
        self.init(url: Binaries.scratch.appending(path: UUID().uuidString))
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: url.path)
        try write(tests, head: head)
        for (name, contents) in files {
            try write(contents, to: name)
            if contents.hasPrefix("#!") {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
            }
        }
    }

    /// An existing folder.
    init(url: URL) {
        self.url = url
    }

    var path: String { url.path }

    func write(_ tests: String, head: String = "") throws {
        try write("version: 1\nname: shop\n\(head)\ntests:\n\(tests)\n", to: "ipv6check.yaml")
    }

    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }

    func json(_ name: String) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: url.appending(path: name))) as? [String: Any])
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func suite(
        _ options: String..., as user: User = .available[0], seconds: Int = 120, environment: [String: String] = [:]
    ) throws -> Output {
        try command(["suite"] + options, as: user, seconds: seconds, environment: environment)
    }

    func merge(_ options: String...) throws -> Output { try command(["merge"] + options) }

    func command(
        _ words: [String], as user: User = .available[0], seconds: Int = 120, environment: [String: String] = [:]
    ) throws -> Output {
        try run(
            ["env", "-C", url.path, Binaries.ipv6check] + words, as: user, seconds: seconds, environment: environment)
    }

    /// Runs a script in the folder, with ipv6check's path as `$0`.
    func bash(_ script: String, seconds: Int = 90) throws -> Output {
        try run(["env", "-C", url.path, "bash", "-c", script, Binaries.ipv6check], seconds: seconds)
    }
}

extension Output {
    /// The outcome of each case, as printed on the screen.
    var outcomes: [String: String] {
        let lines = standardError.split(separator: "\n").map { $0.split(separator: " ") }
            // A case that takes long on a slow machine has a notice first.
            .filter { $0.first != "SLOW" }
        return Dictionary(
            lines.filter { $0.count > 1 && $0[1].contains("@") && $0[0].allSatisfy { $0.isUppercase || $0 == "-" } }
                .map { (String($0[1]), String($0[0])) }, uniquingKeysWith: { first, _ in first })
    }

    /// The comment of a failed expectation.
    var told: Comment { Comment(rawValue: standardError) }
}
