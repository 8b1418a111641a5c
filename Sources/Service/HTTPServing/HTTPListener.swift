// SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// A socket of an HTTP service, and the connections that it accepted.
package struct HTTPListener<Connection: ServerConnection>: Sendable {
    private let channel: NIOAsyncChannel<Connection.Value, Never>
    private let connection: Connection

    /// Listens as soon as this returns; connections wait until `run` serves them.
    ///
    /// `bind` makes the listening channel, and prepares each accepted channel with the function that it is given.
    package init(
        connection: Connection,
        bind: (
            _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Connection.Value>
        ) async throws -> NIOAsyncChannel<Connection.Value, Never>
    ) async throws {
        self.connection = connection
        channel = try await bind { connection.setUp($0) }
    }

    package var localAddress: SocketAddress? { channel.channel.localAddress }

    /// Serves until the task is cancelled; then stops listening, and the connections end.
    package func run() async {
        // In a task that is not cancelled: NIO traps if an accepted connection is dropped without being handled.
        let serving = Task { [channel, connection] in
            await withDiscardingTaskGroup { connections in
                // Only accepting can fail here, and NIO retries that until the socket itself is gone.
                try? await channel.executeThenClose { accepted in
                    for try await value in accepted {
                        connections.addTask { await connection.serve(value) }
                    }
                }
                connections.cancelAll()
            }
        }
        await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            channel.channel.close(promise: nil)
        }
    }
}
