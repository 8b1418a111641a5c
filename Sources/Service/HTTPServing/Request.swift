// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import NIOHTTP1
import Text

/// A request, whose body is read while it comes.
package struct Request: Sendable {
    package let method: HTTPRequest.Method
    /// As the client wrote it (RFC 9112 §3.2).
    package let target: String
    /// The Host field or, in HTTP/2, `:authority`; `nil` if the client sent neither.
    package let authority: String?
    /// All fields but Host.
    package let headers: HTTPFields
    package let body: RequestBody

    /// - Returns: `nil` if the method is no token (RFC 9110 §9.1).
    init?(_ head: HTTPRequestHead, body: RequestBody) {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return nil }
        self.method = method
        self.body = body
        target = head.uri
        var authority: String?
        var headers = HTTPFields()
        for field in head.headers {
            if authority == nil, field.name.lowercased() == "host" {
                authority = field.value
            } else if let name = HTTPField.Name(field.name) {
                headers.append(HTTPField(name: name, value: field.value))
            }
        }
        self.authority = authority
        self.headers = headers
    }

    /// The target without its query and, in absolute form (§3.2.2), without scheme and authority. It is not decoded.
    package var path: String {
        let path = resource.prefix { $0 != "?" }
        return path.isEmpty ? "/" : String(path)
    }

    package var query: RequestQuery {
        RequestQuery(resource.drop { $0 != "?" }.dropFirst())
    }

    private var resource: Substring {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return target[...] }
        return target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    }

    /// Whether the Content-Type is this media type, with any parameters (RFC 9110 §8.3.1).
    package func isOfType(_ mediaType: String) -> Bool {
        let written = headers[.contentType]?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return written?.lowercased() == mediaType
    }
}

/// A query of `name=value` pairs, separated by "&". Values are decoded, unless their percent encoding is damaged.
package struct RequestQuery: Sendable, Sequence {
    private let pairs: [(name: String, value: String)]

    init(_ text: Substring) {
        pairs = text.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            let value = pair[name.endIndex...].dropFirst()
            return (String(name), percentDecoded(value) ?? String(value))
        }
    }

    /// The value of the first pair of this name.
    package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> { pairs.makeIterator() }
}
