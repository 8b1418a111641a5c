// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import LinuxNet
import NIOCore
import NIOHTTP1
import NIOPosix

extension ControlClient {
    /// The longest answer: the largest table is well below it.
    private static let maximumAnswerLength = 64 << 20
    /// Pause before a retry that the daemon asked for.
    private static let pause = TimeAmount.milliseconds(100)
    /// The longest line of a stream.
    private static let maximumLineLength = 1 << 20

    /// Sends a request and returns the body of the response.
    func exchange(
        _ method: HTTPMethod, _ target: String, _ body: (some Encodable)? = String?.none
    ) async throws(ControlClientError) -> [UInt8] {
        let deadline = ContinuousClock.now + timeout
        while true {
            do throws(ControlClientError) {
                return try await converse(method, target, body, timeout: timeout) { inbound in
                    try await self.body(of: inbound, limit: Self.maximumAnswerLength) { _ in }
                }
            } catch .busy(let reason) {
                // No connection is free, or none of the user's share.
                if ContinuousClock.now > deadline { throw .busy(reason) }
                try? await MultiThreadedEventLoopGroup.singleton.any().pause(for: Self.pause)
            }
        }
    }

    /// Follows the events until the daemon ends or `handle` throws; heartbeats are not passed on.
    package func followEvents(_ handle: @Sendable (Event) throws -> Void) async throws(ControlClientError) {
        // A heartbeat comes every ten seconds.
        _ = try await converse(.GET, "/v1/events", String?.none, timeout: max(timeout, .seconds(35))) { inbound in
            try await self.body(of: inbound, limit: Self.maximumLineLength) { rest in
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let event: Event = try self.understood(Array(rest[..<end]))
                    rest.removeSubrange(...end)
                    if event.kind != .heartbeat { try handle(event) }
                }
            }
        }
    }

    private typealias Inbound = NIOAsyncChannelInboundStream<HTTPClientResponsePart>

    /// The body of a successful response.
    /// - Parameter take: called for each part that has arrived; may remove from the front of the octets so far.
    /// - Returns: the rest, `limit` octets at most.
    private func body(
        of inbound: Inbound, limit: Int, _ take: (inout [UInt8]) throws -> Void
    ) async throws -> [UInt8] {
        var parts = inbound.makeAsyncIterator()
        guard case .head(let head)? = try await parts.next() else { throw ControlClientError.cutOff(socket: socket) }
        var octets: [UInt8] = []
        while case .body(let part)? = try await parts.next() {
            octets += part.readableBytesView
            if head.status == .ok { try take(&octets) }
            if octets.count > limit { throw ControlClientError.notUnderstood(socket: socket) }
        }
        try check(head, octets)
        return octets
    }

    private func check(_ head: HTTPResponseHead, _ body: [UInt8]) throws(ControlClientError) {
        if (200..<300).contains(head.status.code) { return }
        let problem: Problem = try understood(body)
        if head.headers.contains(name: "Retry-After") { throw .busy(problem.detail) }
        throw .refused(status: problem.status, detail: problem.detail)
    }

    /// Makes a connection, sends one request, and lets `listen` take the response.
    private func converse<Outcome: Sendable>(
        _ method: HTTPMethod, _ target: String, _ body: (some Encodable)?, timeout: Duration,
        _ listen: @Sendable (Inbound) async throws -> Outcome
    ) async throws(ControlClientError) -> Outcome {
        do {
            let octets = try body.map { try JSONText.encode($0, .line) }
            let channel = try await connect(timeout)
            return try await channel.executeThenClose { inbound, outbound in
                var head = HTTPRequestHead(version: .http1_1, method: method, uri: target)
                head.headers.add(name: "Host", value: "localhost")
                head.headers.add(name: "Connection", value: "close")
                if let octets {
                    head.headers.add(name: "Content-Type", value: "application/json")
                    head.headers.add(name: "Content-Length", value: "\(octets.count)")
                }
                // A daemon that refuses may have answered and closed before it has read everything: its answer counts.
                try? await outbound.write(.head(head))
                if let octets { try? await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: octets)))) }
                try? await outbound.write(.end(nil))
                return try await listen(inbound)
            }
        } catch let error as ControlClientError {
            throw error
        } catch is HTTPParserError {
            throw .notUnderstood(socket: socket)
        } catch {
            throw .cutOff(socket: socket)
        }
    }

    private func connect(
        _ timeout: Duration
    ) async throws -> NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart> {
        let socket = socket
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: socket) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            IdleStateHandler(readTimeout: TimeAmount(timeout)),
                            Silence(.silent(socket: socket, timeout)))
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch let error as IOError {
            let reason = Errno(error.errnoCode)
            if reason == .EAGAIN { throw ControlClientError.busy("too many wait for \(socket)") }
            throw reason == .EACCES
                ? ControlClientError.notAllowed(socket: socket)
                : ControlClientError.noDaemon(socket: socket, reason: "\(reason)")
        } catch is SocketAddressError {
            throw ControlClientError.noDaemon(socket: socket, reason: "the path is too long for a socket")
        }
    }
}

/// Ends a connection on which nothing arrives for too long.
private final class Silence: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let error: ControlClientError

    init(_ error: ControlClientError) {
        self.error = error
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
