// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import NIOCore
package import NIOHTTP1

/// A channel of requests and responses: a connection of HTTP/1, or a stream of HTTP/2.
package typealias HTTPChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// Answers requests on behalf of a server.
struct HTTPAnswering: Sendable {
    /// The value of the Server field.
    let server: String
    /// Answers a request; an error ends the connection, or the stream.
    let respond: @Sendable (Request, any Channel) async throws -> Response

    /// Answers the requests of a channel one by one until the client or an error ends it, or the task is cancelled.
    func answer(_ channel: HTTPChannel) async {
        await withTaskCancellationHandler {
            // The error has ended the channel.
            try? await channel.executeThenClose { inbound, outbound in
                let parts = RequestParts(inbound.makeAsyncIterator())
                do {
                    while let request = try await parts.nextRequest() {
                        try await answer(request, on: channel.channel, outbound)
                        if request.headers[.connection] == "close" { break }
                    }
                } catch is HTTPParserError {
                    try await outbound.write(.head(Self.badRequest))
                    try await outbound.write(.end(nil))
                }
                // The client reads what is on its way, and closes.
                outbound.finish()
                try await channel.channel.closeFuture.get()
            }
        } onCancel: {
            channel.channel.close(promise: nil)
        }
    }

    private static let badRequest = HTTPResponseHead(
        version: .http1_1, status: .badRequest, headers: ["Connection": "close", "Content-Length": "0"])

    private func answer(
        _ request: Request, on channel: any Channel, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        // RFC 9110 §10.1.1: a client that expects it waits for this before it sends the body.
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        }
        var response = try await respond(request, channel)
        response.headers[.server] = server
        let head = HTTPServerResponsePart.head(response.head(to: request))
        // RFC 9110 §9.3.2: the same as for GET, except for the content.
        switch request.method == .head ? .octets(ByteBuffer()) : response.body.content {
        case .octets(let octets) where octets.readableBytes == 0:
            try await outbound.write(contentsOf: [head, .end(nil)])
        // In one write, and so in few packets.
        case .octets(let octets): try await outbound.write(contentsOf: [head, .body(.byteBuffer(octets)), .end(nil)])
        case .written(_, let write):
            try await outbound.write(head)
            try await write(ResponseBodyWriter(outbound: outbound))
            try await outbound.write(.end(nil))
        }
    }
}
