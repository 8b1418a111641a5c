import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// A socket of an HTTP service, and the connections that it accepted.
struct HTTPListener<Connection: ServerChildChannel>: Sendable {
    private let channel: NIOAsyncChannel<Connection.Value, Never>
    private let connection: Connection
    private let logger: Logger

    /// Listens from when this returns; connections wait until `run` serves them.
    init(
        address: SocketAddress, connection: Connection, group: MultiThreadedEventLoopGroup, logger: Logger
    ) async throws {
        self.connection = connection
        self.logger = logger
        channel = try await ServerBootstrap(group: group)
            .boundedTCPServer()
            .bind(to: address) { channel in connection.setup(channel: channel, logger: logger) }
    }

    var port: UInt16? { channel.channel.localAddress?.port.flatMap(UInt16.init(exactly:)) }

    /// Serves until the task is cancelled; then listens no longer, and the connections end.
    func run() async {
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
}
