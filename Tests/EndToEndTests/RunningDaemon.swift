// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A test's own `nat64sim serve`, which ends with the test.
final class RunningDaemon {
    let folder: URL
    private let process: Process
    private let logFile: URL

    /// Starts the daemon and waits until it is ready.
    /// - Parameters:
    ///   - configuration: the file without its first line; no file if `nil`.
    ///   - folder: the folder of an earlier daemon, to be used again.
    ///   - options: further options of `nat64sim serve`.
    init(
        _ configuration: String? = nil, as user: User = .available[0], in folder: URL? = nil, options: [String] = []
    ) throws {
        self.folder = folder ?? Binaries.scratch.appending(path: "d\(UUID().uuidString.prefix(8))")
        logFile = self.folder.appending(path: "log")
        try FileManager.default.createDirectory(
            at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: self.folder.path)
        try Data().write(to: logFile)
        var arguments = ["--sockets", self.folder.path] + options
        if let configuration {
            let file = Self.configurationFile(in: self.folder)
            try Self.write(configuration, to: file)
            arguments += ["--config", file.path]
        }
        process = try .start(
            user.prefix + [Binaries.nat64sim, "serve"] + arguments, errors: try FileHandle(forWritingTo: logFile))
        try #require(waitForLog(" ready "), Comment(rawValue: log))
    }

    deinit { end() }

    var configurationFile: URL { Self.configurationFile(in: folder) }
    private static func configurationFile(in folder: URL) -> URL { folder.appending(path: "nat64sim.yaml") }
    var processIdentifier: Int32 { process.processIdentifier }
    /// The ID of the process that serves.
    var simulator: Int32? {
        let output = try? run(["pgrep", "-x", "simulator", "-P", "\(processIdentifier)"], as: .root)
        return output.flatMap { Int32($0.text.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

    func write(_ configuration: String) throws { try Self.write(configuration, to: configurationFile) }

    private static func write(_ configuration: String, to file: URL) throws {
        try Data("version: 1\n\(configuration)\n".utf8).write(to: file)
    }

    /// Whether the log comes to contain the text.
    func waitForLog(_ text: String) -> Bool {
        _ = comesTrue { log.contains(text) || !process.isRunning }
        return log.contains(text)
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Ends the daemon, if it still runs, and waits for its exit.
    /// - Returns: its exit status.
    @discardableResult
    func end() -> Int32 {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        return process.terminationStatus
    }

    func waitUntilGone() { process.waitUntilExit() }

    /// Runs `ipv6check` with these arguments on the daemon's networks.
    func check(_ arguments: String..., as user: User = .available[0], seconds: Int = 60) throws -> Output {
        try run(
            [Binaries.ipv6check, "--simulator", "unix:\(folder.path)/attach.sock"] + arguments, as: user,
            seconds: seconds)
    }

    /// Sends a request to the control API and returns the reply's body.
    func control(_ method: String, _ path: String, _ body: String? = nil) throws -> String {
        let data = body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        return try run(
            ["curl", "-sS", "-m", "10", "--unix-socket", "\(folder.path)/control.sock", "-X", method] + data
                + ["http://nat64sim\(path)"]
        ).text
    }
}
