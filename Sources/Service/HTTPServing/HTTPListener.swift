// SPDX-License-Identifier: Apache-2.0
package import HummingbirdCore
package import Logging
package import NIOCore

/// A socket of an HTTP service, and the connections that it accepted.
package struct HTTPListener<Connection: ServerChildChannel>: Sendable {
    private let channel: NIOAsyncChannel<Connection.Value, Never>
    private let connection: Connection
    private let logger: Logger

    /// Listens from when this returns; connections wait until `run` serves them.
    ///
    /// `bind` makes the listening channel, and prepares each accepted one with the function that it is given.
    package init(
        connection: Connection, logger: Logger,
        bind: (
            _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Connection.Value>
        ) async throws -> NIOAsyncChannel<Connection.Value, Never>
    ) async throws {
        self.connection = connection
        self.logger = logger
        channel = try await bind { connection.setup(channel: $0, logger: logger) }
    }

    package var localAddress: SocketAddress? { channel.channel.localAddress }

    /// Serves until the task is cancelled; then listens no longer, and the connections end.
    package func run() async {
        // A task of its own, which is not cancelled: NIO traps where a connection that was accepted is dropped and not handled.
        let serving = Task { [channel, connection, logger] in
            await withDiscardingTaskGroup { connections in
                // What fails here is accepting, and NIO tries that again until the socket itself is gone.
                try? await channel.executeThenClose { accepted in
                    for try await value in accepted {
                        connections.addTask { await connection.handle(value: value, logger: logger) }
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
