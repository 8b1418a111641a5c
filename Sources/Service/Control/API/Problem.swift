// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Text

/// Why a request is not fulfilled (RFC 9457). Its type is `about:blank`: the status and the detail say it all.
struct Problem: Error, Codable, Hashable, Sendable {
    var title: String
    var status: Int
    /// What is wrong, and what would be right.
    var detail: String

    init(_ status: HTTPResponse.Status, _ detail: String) {
        title = status.reasonPhrase
        self.status = status.code
        self.detail = detail
    }

    init(_ error: ControlError) {
        switch error.kind {
        case .notFound: self.init(.notFound, error.text)
        case .invalid: self.init(.badRequest, error.text)
        case .conflict: self.init(.conflict, error.text)
        case .exhausted: self.init(.tooManyRequests, error.text)
        case .unavailable: self.init(.serviceUnavailable, error.text)
        }
    }

    func response(_ headers: HTTPFields = [:]) -> Response {
        var response = Response.json(self, status: HTTPResponse.Status(code: status, reasonPhrase: title))
        response.headers[.contentType] = "application/problem+json"
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

/// Turns whatever a request failed for into a problem.
struct Problems: RouterMiddleware {
    typealias Context = ControlContext

    let routes: [Route]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return unknown(request)
        } catch let problem as Problem {
            return problem.response()
        } catch let error as ControlError {
            return Problem(error).response()
        }
    }

    /// What is not there at all, or not with this method (RFC 9110 §15.5.6).
    private func unknown(_ request: Request) -> Response {
        let methods = routes.filter { $0.matches(request.uri.path) }.map(\.method.rawValue)
        if methods.isEmpty {
            return Problem(
                .notFound, "there is no \"\(excerpt(request.uri.path))\" here; /openapi.yaml says what there is"
            )
            .response()
        }
        let allowed = (methods + (methods.contains("GET") ? ["HEAD"] : [])).joined(separator: ", ")
        return Problem(.methodNotAllowed, "this resource knows \(allowed)").response([.allow: allowed])
    }
}
