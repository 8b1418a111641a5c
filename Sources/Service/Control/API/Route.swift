// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// Something that the API answers to.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// As OpenAPI writes it: `/v1/clients/{id}`.
    let path: String
    let answer: @Sendable (Request, ControlContext) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String,
        _ answer: @escaping @Sendable (Request, ControlContext) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.answer = answer
    }

    /// Whether it is for this path, whatever the method.
    func matches(_ path: String) -> Bool {
        let (pattern, segments) = (self.path.split(separator: "/"), path.split(separator: "/"))
        return pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }
}
