// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HTTPServing

/// The reason why a request is not fulfilled (RFC 9457). Its type is `about:blank`: the status and the detail say it all.
struct Problem: Error, Codable, Hashable, Sendable {
    var title: String
    var status: Int
    /// The error, and how to correct it.
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
