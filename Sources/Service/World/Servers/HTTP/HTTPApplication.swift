// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import HTTPTypes
import NIOCore
import ConfigurationText
import Text

/// The resources of all HTTP services of a world: a small httpbin.
struct HTTPApplication: Sendable {
    private let routes: HTTPRoutes<RequestContext>

    /// The resources, as the answer to an unknown path lists them.
    static let directory = """
        /                    the requested host, the server that answers, the client's address
        /ip                  the address that the request came from (JSON with Accept: application/json)
        /headers             the header fields of the request, in JSON
        /bytes/N             N octets, the one at offset i being i mod 251
        /delay/MS            an answer after MS milliseconds, 60000 at most
        /status/N            an answer with status N, from 200 to 599
        /redirect?to=URL     a redirection to URL (302; &code=301, 303, 307 or 308)
        /echo                the body of the request, as it comes
        /anything            all of the request, in JSON
        /cookies             the request's cookies, in JSON; /cookies/set?NAME=VALUE sets some
        /etag/X              a resource with the entity tag X, for conditional requests
        /basic-auth/U/P      a resource for the user U with the password P
        /stream/N            N lines of JSON, each sent by itself
        /gzip                a body with Content-Encoding: gzip

        """

    init() {
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .options]
        let resources: [(path: String, answer: @Sendable (Request, RequestContext) async throws -> Response)] = [
            ("/", describeRequest),
            ("/ip", tellAddress),
            ("/headers", tellHeaders),
            ("/bytes/{count}", sendBytes),
            ("/delay/{milliseconds}", delay),
            ("/status/{code}", sendStatus),
            ("/redirect", redirect),
            ("/echo", echo),
            ("/anything", tellAnything),
            ("/cookies", tellCookies),
            ("/cookies/set", setCookies),
            ("/etag/{tag}", tellTag),
            ("/basic-auth/{user}/{password}", authenticate),
            ("/stream/{count}", stream),
            ("/gzip", sendGzip),
        ]
        routes = HTTPRoutes(resources.map { HTTPRoute(methods, $0.path, $0.answer) })
    }

    /// Returns a closure that answers the requests to `service`, whose hosts have these names.
    /// - Parameters:
    ///   - httpDNS: answers requests for addresses; `nil` if the service answers none.
    ///   - dns: answers messages of the DNS; `nil` if the service answers none.
    func responder(
        for service: World.Service, _ names: ServedNames, _ httpDNS: HTTPDNS?, _ dns: DNSOverHTTPS?
    ) -> @Sendable (Request, any Channel) async throws -> Response {
        if service.kind == .metadata { return { request, _ in CloudMetadata.answer(request) } }
        return { request, channel in
            let host = request.authority ?? ""
            if let status = service.web.unknownHost, names.isUnknown(host, to: service) {
                return .text(
                    "There is no host \"\(excerpt(host))\" here.\n",
                    status: HTTPResponse.Status(code: status))
            }
            if let reply = service.reply(to: request.path, at: host, names) { return Response(reply) }
            if let answer = try httpDNS?.answer(request, on: channel) { return answer }
            if let answer = try await dns?.answer(request, on: channel) { return answer }
            return try await routes.respond(to: request, context: RequestContext(of: service, on: channel))
                ?? .text(
                    "There is no \(excerpt(request.path)) here. There are:\n\n\(HTTPApplication.directory)",
                    status: .notFound)
        }
    }
}

extension Response {
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(ByteBuffer(string: text)))
    }

    static func json(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(ByteBuffer(string: text + "\n")))
    }

    static func badRequest(_ explanation: String) -> Response {
        .text(explanation + "\n", status: .badRequest)
    }
}
