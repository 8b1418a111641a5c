// SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// A connection of a client to a service that speaks HTTP/1.1 and HTTP/2, whichever the client speaks.
package struct NegotiatedHTTPConnection: ServerConnection {
    package struct Value: Sendable {
        fileprivate let version: EventLoopFuture<Version>
        fileprivate let reader: NIOLoopBound<HTTPVersionReader<Version>>
        fileprivate let channel: any Channel
    }

    fileprivate enum Version: Sendable {
        case http1(HTTPChannel)
        case http2(HTTP2Connection.Value)
    }

    /// The observers of one connection.
    package struct Observers {
        let connection: any ChannelHandler
        let version: (HTTPVersion) -> Void
        let requests: () -> any ChannelHandler

        /// - Parameters:
        ///   - connection: Precedes HTTP in the pipeline, and sees the events of TLS.
        ///   - version: Called with the client's version, before its first request.
        ///   - requests: Makes a handler that sees requests first and responses last, as parts of HTTP/1: one for a connection of
        ///     HTTP/1, one for each stream of HTTP/2.
        package init(
            connection: any ChannelHandler, version: @escaping (HTTPVersion) -> Void,
            requests: @escaping () -> any ChannelHandler
        ) {
            self.connection = connection
            self.version = version
            self.requests = requests
        }
    }

    private let http1: HTTPConnection
    private let http2: HTTP2Connection
    private let observe: @Sendable () -> Observers

    /// - Parameters:
    ///   - server: The value of the Server field.
    ///   - respond: Answers a request; an error ends the connection, or the stream.
    package init(
        server: String, respond: @escaping @Sendable (Request, any Channel) async throws -> Response,
        observe: @escaping @Sendable () -> Observers
    ) {
        http1 = HTTPConnection(server: server, respond: respond)
        http2 = HTTP2Connection(answering: http1.answering)
        self.observe = observe
    }

    package func setUp(_ channel: any Channel) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let observers = observe()
            let promise = channel.eventLoop.makePromise(of: Version.self)
            let reader = HTTPVersionReader(promise, timeout: IdleConnectionEnd.limit) { version in
                observers.version(version)
                return channel.eventLoop.makeCompletedFuture {
                    switch version {
                    case .http1: .http1(try http1.setUp(channel, observers: [observers.requests()]))
                    case .http2: .http2(try http2.setUp(channel, observer: observers.requests))
                    }
                }
            }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers([observers.connection, reader])
            return Value(
                version: promise.futureResult, reader: NIOLoopBound(reader, eventLoop: channel.eventLoop),
                channel: channel)
        }
    }

    package func serve(_ value: Value) async {
        // Fails if the connection ends before the version is known.
        let version = await withTaskCancellationHandler {
            try? await value.version.get()
        } onCancel: {
            value.channel.eventLoop.execute { value.reader.value.giveUp() }
        }
        switch version {
        case .http1(let connection): await http1.serve(connection)
        case .http2(let connection): await http2.serve(connection)
        case nil: break
        }
    }
}
