// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

/// The output of a command, and its exit status.
struct Said {
    var status: Int32
    var output: String
    var errors: String
}

/// `nat64sim` as it was built, asking the daemon at `socket`.
struct CommandLineProgram {
    let socket: String

    /// The executable beside the tests themselves, which is `nat64sim` if it is called so.
    private static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "ipv6check")
    private static let command = ["bash", "-c", #"exec -a nat64sim "$0" "$@""#, executable.path]

    /// Runs it to its end, or until `isEnough` of what it has said.
    func callAsFunction(
        _ words: String..., until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }
    ) async throws -> Said {
        let (output, errors) = (Pipe(), Pipe())
        let process = try Process.start(
            Self.command + words, environment: ["NAT64SIM_SOCKET": socket], output: output, errors: errors)
        async let errorText = Self.text(of: errors, until: { _ in false })
        let text = await Self.text(of: output, until: isEnough)
        // A thread of the tests blocks SIGTERM, and so does what it starts.
        if isEnough(text) { kill(process.processIdentifier, SIGKILL) }
        let rest = await errorText
        await Self.inThread { process.waitUntilExit() }
        return Said(status: process.terminationStatus, output: text, errors: rest)
    }

    private static func text(of pipe: Pipe, until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        await inThread {
            var data = Data()
            while true {
                let part = pipe.fileHandleForReading.availableData
                data += part
                let text = String(decoding: data, as: UTF8.self)
                if part.isEmpty || isEnough(text) { return text }
            }
        }
    }

    /// Runs blocking work in its own thread, as it must not block the tests' tasks.
    private static func inThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: work()) }.start()
        }
    }
}
