// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import HTTPTypes
import NIOCore
import Text

/// The query part of a request's target, after the question mark.
struct QueryParameters {
    private let request: Request

    init(_ request: Request) {
        self.request = request
    }

    func number(_ name: String) throws(Problem) -> UInt64? {
        guard let text = request.query[name] else { return nil }
        guard let number = UInt64(text) else {
            throw Problem(.badRequest, "\(name) takes a number, not \"\(excerpt(text))\"")
        }
        return number
    }

    func limit() throws(Problem) -> Int {
        guard let limit = try number("limit") else { return ControlLimits.usualEntries }
        guard let limit = Int(exactly: limit), (1...ControlLimits.maximumEntries).contains(limit) else {
            throw Problem(.badRequest, "limit takes a number from 1 to \(ControlLimits.maximumEntries)")
        }
        return limit
    }
}

extension ControlContext {
    /// The number in the path that identifies a thing of this `kind`.
    func identifier(of kind: String) throws(Problem) -> UInt64 {
        let text = parameters["id"] ?? ""
        guard let number = UInt64(text) else {
            throw Problem(
                .notFound, "there is no \(kind) \"\(excerpt(text))\"; they have numbers, which /v1/\(kind)s lists")
        }
        return number
    }
}

extension Request {
    /// The body, as JSON.
    func body<Value: Decodable>(_ type: Value.Type, example: String) async throws -> Value {
        if headers[.contentType] != nil, !isOfType("application/json") {
            throw Problem(.unsupportedMediaType, "send \(example) with Content-Type: application/json")
        }
        let maximum = 2 * ControlLimits.maximumTextLength
        let octets: ByteBuffer
        do {
            octets = try await body.collect(upTo: maximum)
        } catch is NIOTooManyBytesError {
            throw Problem(.contentTooLarge, "the body may have \(maximum) octets; send \(example)")
        }
        guard let value = try? JSONText.decode(Value.self, from: Array(octets.readableBytesView)) else {
            throw Problem(.badRequest, "the body is not what is expected here; send \(example)")
        }
        return value
    }
}

extension String {
    /// The text itself, if it is short enough to be passed on.
    func checked() throws(Problem) -> String {
        guard utf8.count <= ControlLimits.maximumTextLength else {
            throw Problem(
                .contentTooLarge,
                "a text may have \(ControlLimits.maximumTextLength) octets; this one has \(utf8.count)")
        }
        return self
    }
}

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        do {
            return Response(
                status: status, headers: [.contentType: "application/json"],
                body: ResponseBody(ByteBuffer(bytes: try JSONText.encode(value))))
        } catch {
            // JSON cannot represent the value, such as an infinite time.
            return Response(status: .internalServerError)
        }
    }
}
