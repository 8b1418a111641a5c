// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import HTTPTypes
import NIOCore
import Text

// Resources that make the server behave in a way that the client asks for.

/// `/delay/MS`
@Sendable func delay(_ request: Request, _ context: RequestContext) async throws -> Response {
    let maximum = 60_000
    guard let milliseconds = context.parameters["milliseconds"].flatMap(decimalNumber), milliseconds <= maximum else {
        return .badRequest("/delay/MS takes a number of milliseconds from 0 to \(maximum)")
    }
    try await context.eventLoop.pause(for: .milliseconds(Int64(milliseconds)))
    return .text("\(milliseconds) ms later\n")
}

/// `/status/N`
@Sendable func sendStatus(_ request: Request, _ context: RequestContext) -> Response {
    // Below 200 a response is not the final one (RFC 9110 §15.2), and the client would go on waiting.
    guard let code = context.parameters["code"].flatMap(decimalNumber), (200...599).contains(code) else {
        return .badRequest("/status/N takes a status from 200 to 599")
    }
    let status = HTTPResponse.Status(code: code)
    // RFC 9110 §15.3.5, §15.3.6, §15.4.5: these have no content.
    if [204, 205, 304].contains(code) { return Response(status: status) }
    return .text("\(code)\n", status: status)
}

/// `/redirect?to=URL&code=N`
@Sendable func redirect(_ request: Request, _ context: RequestContext) -> Response {
    let parameters = request.query
    guard let target = parameters["to"], !target.isEmpty, HTTPField.isValidValue(target) else {
        return .badRequest("/redirect takes ?to=URL, percent-encoded where it has a query of its own")
    }
    let code = parameters["code"].map(decimalNumber) ?? 302
    guard let code, [301, 302, 303, 307, 308].contains(code) else {
        return .badRequest("/redirect takes &code=301, 302, 303, 307 or 308")
    }
    var response = Response.text("see \(target)\n", status: HTTPResponse.Status(code: code))
    response.headers[.location] = target
    return response
}
