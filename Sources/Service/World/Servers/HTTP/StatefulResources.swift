// SPDX-License-Identifier: Apache-2.0
import DNSWire
import HTTPTypes
import HTTPServing
import NIOCore
import Text

// Resources that a client requests with data from an earlier response, or with credentials.

/// `/cookies`: the cookies that the client has sent, in JSON.
@Sendable func tellCookies(_ request: Request, _ context: RequestContext) -> Response {
    // RFC 6265 §4.2.1: pairs, separated by "; ".
    let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(jsonString(String(parts[0]))): \(jsonString(parts.count > 1 ? String(parts[1]) : ""))"
    }
    return .json("{\"cookies\": {\(pairs.joined(separator: ", "))}}")
}

/// `/cookies/set?NAME=VALUE`: sets these cookies, and redirects to the page that shows them.
@Sendable func setCookies(_ request: Request, _ context: RequestContext) -> Response {
    var response = Response(status: .found, headers: [.location: "/cookies"])
    for (name, value) in request.query {
        let cookie = "\(name)=\(value); Path=/"
        // RFC 6265 §4.1.1
        let isAllowed = cookie.utf8.allSatisfy { (0x20...0x7e).contains($0) && $0 != 0x22 && $0 != 0x2c && $0 != 0x5c }
        guard !name.isEmpty, isAllowed, !name.contains(";"), !name.contains("="), !value.contains(";") else {
            return .badRequest("/cookies/set takes ?NAME=VALUE")
        }
        response.headers.append(HTTPField(name: .setCookie, value: cookie))
    }
    return response
}

/// `/etag/X`: a resource whose entity tag is X (RFC 9110 §8.8.3), for conditional requests (§13).
@Sendable func tellTag(_ request: Request, _ context: RequestContext) -> Response {
    let name = context.parameters["tag"] ?? ""
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x22 }) else {
        return .badRequest("/etag/X takes a tag of visible characters")
    }
    let tag = "\"\(name)\""
    // RFC 9110 §13.1.1: strong comparison.
    if let wanted = request.entityTags(.ifMatch), wanted.isDisjoint(with: ["*", tag]) {
        return .text("no such tag\n", status: .preconditionFailed)
    }
    // RFC 9110 §13.1.2: weak comparison. On a match, GET and HEAD get 304, other methods 412.
    if let known = request.entityTags(.ifNoneMatch), !known.isDisjoint(with: ["*", tag, "W/\(tag)"]) {
        guard request.method == .get || request.method == .head else {
            return .text("the tag is \(tag)\n", status: .preconditionFailed)
        }
        return Response(status: .notModified, headers: [.eTag: tag])
    }
    var response = Response.text("\(name)\n")
    response.headers[.eTag] = tag
    return response
}

extension Request {
    /// The members of a list of entity tags (RFC 9110 §8.8.3, §5.6.1), `W/` included; `nil` if there is no such field.
    fileprivate func entityTags(_ field: HTTPField.Name) -> Set<String>? {
        let values = headers[values: field]
        if values.isEmpty { return nil }
        var members: Set<String> = []
        for value in values {
            // A comma in quotes is part of the tag; outside of quotes, blanks occur only between members.
            var isQuoted = false
            let parts = value.split { character in
                if character == "\"" { isQuoted.toggle() }
                return !isQuoted && (character == "," || character == " " || character == "\t")
            }
            members.formUnion(parts.map(String.init))
        }
        return members
    }
}

/// `/basic-auth/USER/PASSWORD`: requires these credentials (RFC 7617).
@Sendable func authenticate(_ request: Request, _ context: RequestContext) -> Response {
    guard let user = context.parameters["user"].flatMap(percentDecoded),
        let password = context.parameters["password"].flatMap(percentDecoded)
    else { return .badRequest("/basic-auth/USER/PASSWORD takes UTF-8, percent-encoded where a path cannot have it") }
    let expected = BitEncoding.base64.encode("\(user):\(password)".utf8)
    let given = request.headers[.authorization]?.split(separator: " ") ?? []
    if given.count == 2, given[0].lowercased() == "basic", given[1] == expected {
        return .json("{\"authenticated\": true, \"user\": \(jsonString(user))}")
    }
    var response = Response.text("Who is it?\n", status: .unauthorized)
    response.headers[.wwwAuthenticate] = "Basic realm=\"ipv6check\", charset=\"UTF-8\""
    return response
}
