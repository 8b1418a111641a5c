// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import Glibc
import Text

/// The common options of all commands that query a running daemon.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's control socket (default: $NAT64SIM_SOCKET, or \(Self.usualSocket)).", valueName: "path"))
    var socket: String?

    @Flag(help: "Print JSON, as the control API has it.")
    var json = false

    private static let usualSocket = "/run/nat64sim/control.sock"

    private var client: ControlClient {
        let named = unsafe getenv("NAT64SIM_SOCKET").map { unsafe String(cString: $0) } ?? ""
        return ControlClient(socket: socket ?? (named.isEmpty ? Self.usualSocket : named))
    }

    /// Runs the conversation `talk` with the daemon.
    func ask<Answer: Sendable>(
        _ talk: @escaping @Sendable (ControlClient) async throws -> Answer
    ) throws -> Answer {
        do {
            return try client.wait(for: talk)
        } catch let error as ControlClientError {
            throw CommandFailure(description: printable("\(error)"), status: .noSuccess)
        }
    }

    /// Prints an answer as JSON or as the result of `text`.
    func show<Answer: Encodable>(_ answer: Answer, as text: (Answer) -> String) throws {
        if json { return Output.show(try JSONText.encode(answer)) }
        let text = text(answer)
        if !text.isEmpty { Output.show(text) }
    }
}
