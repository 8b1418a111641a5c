// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import HTTPServing
import HTTPTypes
import NIOCore

/// DNS over HTTPS (RFC 8484), at the path that public resolvers use:
///
///     GET /dns-query?dns=BASE64URL
///     POST /dns-query              Content-Type: application/dns-message
struct DNSOverHTTPS: Sendable {
    let resolver: PublicResolver
    let service: ServiceEnd

    private static let path = "/dns-query"
    /// RFC 8484 §6
    private static let mediaType = "application/dns-message"
    private static let methods = "GET, HEAD, POST"

    /// The answer; `nil` if the request is for another path. Throws if the connection ends before the request does.
    func answer(_ request: Request, on channel: any Channel) async throws -> Response? {
        guard request.path == Self.path else { return nil }
        switch request.method {
        case .get, .head:
            // RFC 8484 §6: no padding.
            guard let text = request.query["dns"], let query = BitEncoding.base64URL.decode(text.utf8),
                query.count <= StreamFraming.maximumMessageLength
            else { return .badRequest("write \(Self.path)?dns=MESSAGE, in base64url without padding") }
            return try reply(to: query, on: channel)
        case .post:
            guard request.isOfType(Self.mediaType) else {
                return .text("the content is to be of type \(Self.mediaType)\n", status: .unsupportedMediaType)
            }
            guard let query = try await message(in: request) else {
                return .text(
                    "a message has \(StreamFraming.maximumMessageLength) octets at most\n", status: .contentTooLarge)
            }
            return try reply(to: query, on: channel)
        default:
            var response = Response.text("ask by \(Self.methods)\n", status: .methodNotAllowed)
            // RFC 9110 §15.5.6
            response.headers[.allow] = Self.methods
            return response
        }
    }

    /// The request's content; `nil` if it is too long for a message.
    private func message(in request: Request) async throws -> [UInt8]? {
        var octets = ByteBuffer()
        for try await part in request.body {
            guard octets.readableBytes + part.readableBytes <= StreamFraming.maximumMessageLength else { return nil }
            octets.writeImmutableBuffer(part)
        }
        return Array(octets.readableBytesView)
    }

    /// RFC 8484 §4.2.1: a reply is a success of HTTP, whatever its response code.
    private func reply(to query: [UInt8], on channel: any Channel) throws -> Response {
        guard let asker = ResolverClient(channel, at: service) else { throw ChannelError.ioOnClosedChannel }
        guard let reply = resolver.reply(to: query, asker, over: .https) else {
            return .badRequest("that is no query of the DNS")
        }
        let lifetime = (try? Message(reply.span))?.lifetime ?? 0
        return Response(
            status: .ok,
            headers: [.contentType: Self.mediaType, .cacheControl: "max-age=\(lifetime)"],
            body: ResponseBody(ByteBuffer(bytes: reply)))
    }
}

extension Message {
    /// Seconds that an HTTP cache may keep the message (RFC 8484 §5.1): the smallest TTL of its answer or, if that is empty, the
    /// TTL for negative caching (RFC 2308 §5).
    fileprivate var lifetime: UInt32 {
        if let least = answer.map(\.ttl).min() { return least }
        for record in authority {
            if case .soa(let soa) = record.data { return min(record.ttl, soa.minimum) }
        }
        return 0
    }
}
