// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import NIOCore
import NIOHTTP1

package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: ResponseBody

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The head as it is sent in reply to a request.
    func head(to request: Request) -> HTTPResponseHead {
        var headers = headers
        switch status {
        // RFC 9110 §8.6: 204 must not have a length, and 304 only the length that a 200 response would have had.
        case .noContent, .notModified: headers[.contentLength] = nil
        default: headers[.contentLength] = headers[.contentLength] ?? body.length.map(String.init)
        }
        if request.headers[.connection] == "close" { headers[.connection] = "close" }
        return HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase),
            headers: HTTPHeaders(headers.map { ($0.name.rawName, $0.value) }))
    }
}

/// The content of a response: octets, or what a function writes.
package struct ResponseBody: Sendable {
    enum Content: Sendable {
        case octets(ByteBuffer)
        case written(length: Int?, by: @Sendable (ResponseBodyWriter) async throws -> Void)
    }

    let content: Content

    package init(_ octets: ByteBuffer = ByteBuffer()) {
        content = .octets(octets)
    }

    /// - Parameter length: octets that `write` writes in all; `nil` if that is not known before the end.
    package init(length: Int? = nil, _ write: @escaping @Sendable (ResponseBodyWriter) async throws -> Void) {
        content = .written(length: length, by: write)
    }

    var length: Int? {
        switch content {
        case .octets(let octets): octets.readableBytes
        case .written(let length, _): length
        }
    }
}

/// Sends the parts of a body.
package struct ResponseBodyWriter: Sendable {
    let outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// Waits while the client does not read what was written before.
    package func write(_ octets: ByteBuffer) async throws {
        try await outbound.write(.body(.byteBuffer(octets)))
    }
}
