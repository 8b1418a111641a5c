// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension Process {
    /// Starts a program, with a shell's search for it. Streams that are not given are /dev/null.
    /// - Parameter environment: nil for the tests' own.
    package static func start(
        _ command: [String], environment: [String: String]? = nil, input: Any = FileHandle.nullDevice,
        output: Any = FileHandle.nullDevice, errors: Any = FileHandle.nullDevice
    ) throws -> Process {
        let process = Process()
        // A preloaded library is meant for the program alone, so `env` precedes only a program without a path.
        let isPath = command[0].contains("/")
        process.executableURL = URL(filePath: isPath ? command[0] : "/usr/bin/env")
        process.arguments = isPath ? Array(command.dropFirst()) : command
        if let environment { process.environment = environment }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }

    /// The exit status as in a shell: 128 and more for a signal. The process must have ended.
    package var exitStatus: Int32 { terminationReason == .exit ? terminationStatus : 128 + terminationStatus }

    /// Kills it: its parent, a test's thread, may block signals, which children inherit, but SIGKILL always arrives.
    package func endAtOnce() {
        kill(processIdentifier, SIGKILL)
        waitUntilExit()
    }
}

/// The output of a program, and its exit status.
package struct ProgramEnd: Sendable {
    /// As in a shell: 128 and more for a signal.
    package var status: Int32
    package var standardOutput: Data
    package var standardError: String

    package var text: String { String(decoding: standardOutput, as: UTF8.self) }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Itself, where the program ended with 0.
    @discardableResult
    package func successful() throws -> ProgramEnd {
        guard status == 0 else { throw Failure(description: "status \(status): \(standardError.suffix(2000))") }
        return self
    }
}

/// Runs a program to its end. Its streams are files: none of them can fill up and block, and a child that keeps one open
/// cannot hold up the test.
/// - Parameter environment: nil is the tests' own.
package func runToEnd(
    _ command: [String], environment: [String: String]? = nil, input: Data? = nil
) throws -> ProgramEnd {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-output-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = (
        input: folder.appending(path: "in"), output: folder.appending(path: "out"),
        errors: folder.appending(path: "err")
    )
    for (path, contents) in [(paths.input, input ?? Data()), (paths.output, Data()), (paths.errors, Data())] {
        try contents.write(to: path)
    }
    let process = try Process.start(
        command, environment: environment,
        input: input == nil ? FileHandle.nullDevice : try FileHandle(forReadingFrom: paths.input),
        output: try FileHandle(forWritingTo: paths.output), errors: try FileHandle(forWritingTo: paths.errors))
    process.waitUntilExit()
    return ProgramEnd(
        status: process.exitStatus, standardOutput: try Data(contentsOf: paths.output),
        standardError: String(decoding: try Data(contentsOf: paths.errors), as: UTF8.self))
}
