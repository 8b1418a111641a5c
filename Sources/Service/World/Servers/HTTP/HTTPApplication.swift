// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ConfigurationText
import Text

/// What all HTTP services of a world answer: a small httpbin.
struct HTTPApplication: Sendable {
    private let router: RouterResponder<Visit>

    /// The resources, as the answer to an unknown path lists them.
    static let directory = """
        /                    who was asked, who answers, who asked
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
        /basic-auth/U/P      for who authenticates as U with the password P
        /stream/N            N lines of JSON, each sent by itself
        /gzip                a body with Content-Encoding: gzip

        """

    init() {
        let router = Router(context: Visit.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: DirectoryOfUnknownPaths())
        for method: HTTPRequest.Method in [.get, .post, .put, .patch, .delete, .options] {
            router.on("/", method: method, use: describeVisit)
            router.on("/ip", method: method, use: tellAddress)
            router.on("/headers", method: method, use: tellHeaders)
            router.on("/bytes/:count", method: method, use: sendBytes)
            router.on("/delay/:milliseconds", method: method, use: delay)
            router.on("/status/:code", method: method, use: sendStatus)
            router.on("/redirect", method: method, use: redirect)
            router.on("/echo", method: method, use: echo)
            router.on("/anything", method: method, use: tellAnything)
            router.on("/cookies", method: method, use: tellCookies)
            router.on("/cookies/set", method: method, use: setCookies)
            router.on("/etag/:tag", method: method, use: tellTag)
            router.on("/basic-auth/:user/:password", method: method, use: authenticate)
            router.on("/stream/:count", method: method, use: stream)
            router.on("/gzip", method: method, use: sendGzip)
        }
        self.router = router.buildResponder()
    }

    /// Answers requests that come in at the sockets of `service`, whose hosts have these names.
    /// - Parameters:
    ///   - httpDNS: what it says of addresses; `nil` if nothing.
    ///   - dns: what it answers to messages of the DNS; `nil` if nothing.
    func responder(
        for service: World.Service, _ names: ServedNames, _ httpDNS: HTTPDNS?, _ dns: DNSOverHTTPS?
    ) -> @Sendable (Request, any Channel) async throws -> Response {
        if service.kind == .metadata { return { request, _ in CloudMetadata.answer(request) } }
        return { request, channel in
            let host = request.head.authority ?? ""
            if let status = service.web.unknownHost, names.isUnknown(host, to: service) {
                return .text(
                    "There is no host \"\(excerpt(host))\" here.\n",
                    status: HTTPResponse.Status(code: status))
            }
            if let reply = service.reply(to: request.uri.path, at: host, names) { return Response(reply) }
            if let answer = try httpDNS?.answer(request, on: channel) { return answer }
            if let answer = try await dns?.answer(request, on: channel) { return answer }
            return try await router.respond(
                to: request, context: Visit(source: VisitSource(service: service, channel: channel)))
        }
    }
}

/// Answers a request for what is not there with a list of what is.
private struct DirectoryOfUnknownPaths: RouterMiddleware {
    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return .text(
                "There is no \(excerpt(request.uri.path)) here. There are:\n\n\(HTTPApplication.directory)",
                status: .notFound)
        }
    }
}

extension Response {
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static func json(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    static func badRequest(_ explanation: String) -> Response {
        .text(explanation + "\n", status: .badRequest)
    }
}
