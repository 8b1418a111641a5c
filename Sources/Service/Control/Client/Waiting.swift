// SPDX-License-Identifier: Apache-2.0
import LinuxNet

extension ControlClient {
    /// Runs a conversation with the daemon, and blocks the calling thread until it ends: for a program that has nothing else to
    /// do. Not to be called from a task.
    package func wait<Outcome: Sendable>(
        for conversation: @escaping @Sendable (ControlClient) async throws -> Outcome
    ) throws -> Outcome {
        try blocking { try await conversation(self) }
    }
}
