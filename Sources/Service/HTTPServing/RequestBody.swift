// SPDX-License-Identifier: Apache-2.0
package import NIOCore
import NIOHTTP1

/// The content of a request, in parts as they come. It can be read once.
package struct RequestBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    let parts: RequestParts

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let parts: RequestParts

        package mutating func next() async throws -> ByteBuffer? { try await parts.nextOfBody() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: parts) }
}

/// The parts of the requests of a connection, or of one stream of HTTP/2.
///
/// Only the task that serves the connection reads them: request by request, and a body while its response is made or written. That is not
/// to be seen by the compiler, as handlers and bodies are sendable closures.
final class RequestParts: @unchecked Sendable {
    private var iterator: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private var isInBody = false

    init(_ iterator: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator) {
        self.iterator = iterator
    }

    /// The next request, after what is left of the one before; `nil` after the last.
    /// - Throws: `HTTPParserError` if the client sends something else.
    func nextRequest() async throws -> Request? {
        while try await nextOfBody() != nil {}
        guard let part = try await iterator.next() else { return nil }
        guard case .head(let head) = part, let request = Request(head, body: RequestBody(parts: self)) else {
            throw HTTPParserError.invalidMethod
        }
        isInBody = true
        return request
    }

    fileprivate func nextOfBody() async throws -> ByteBuffer? {
        guard isInBody else { return nil }
        if case .body(let octets)? = try await iterator.next() { return octets }
        isInBody = false
        return nil
    }
}
