import DNSWire
import HTTPTypes
import Hummingbird
import NIOCore

// Resources that a client asks for more than once: with what it was told, or with what it knows.

/// `/cookies`: those that the client has sent, in JSON.
@Sendable func tellCookies(_ request: Request, _ visit: Visit) -> Response {
    // RFC 6265 §4.2.1: pairs, with "; " between them.
    let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(jsonString(String(parts[0]))): \(jsonString(parts.count > 1 ? String(parts[1]) : ""))"
    }
    return .json("{\"cookies\": {\(pairs.joined(separator: ", "))}}")
}

/// `/cookies/set?NAME=VALUE`: has the client send these from now on, and shows them.
@Sendable func setCookies(_ request: Request, _ visit: Visit) -> Response {
    var response = Response(status: .found, headers: [.location: "/cookies"])
    for (name, value) in request.uri.queryParameters {
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
@Sendable func tellTag(_ request: Request, _ visit: Visit) -> Response {
    let name = visit.parameters.get("tag") ?? ""
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x22 }) else {
        return .badRequest("/etag/X takes a tag of visible characters")
    }
    let tag = "\"\(name)\""
    func has(_ field: HTTPField.Name) -> Bool? {
        let values = request.headers[values: field]
        if values.isEmpty { return nil }
        // Weakly compared (RFC 9110 §8.8.3.2), as here only If-None-Match has weak ones to offer.
        return values.flatMap { $0.split(separator: ",") }.contains { value in
            let value = value.drop { $0 == " " }
            return value == "*" || value == tag || value == "W/\(tag)"
        }
    }
    if has(.ifMatch) == false { return .text("no such tag\n", status: .preconditionFailed) }
    if has(.ifNoneMatch) == true { return Response(status: .notModified, headers: [.eTag: tag]) }
    var response = Response.text("\(name)\n")
    response.headers[.eTag] = tag
    return response
}

/// `/basic-auth/USER/PASSWORD`: for who knows these (RFC 7617).
@Sendable func authenticate(_ request: Request, _ visit: Visit) -> Response {
    let (user, password) = (visit.parameters.get("user") ?? "", visit.parameters.get("password") ?? "")
    let expected = BitEncoding.base64.encode("\(user):\(password)".utf8)
    let given = request.headers[.authorization]?.split(separator: " ") ?? []
    if given.count == 2, given[0].lowercased() == "basic", given[1] == expected {
        return .json("{\"authenticated\": true, \"user\": \(jsonString(user))}")
    }
    var response = Response.text("Who is it?\n", status: .unauthorized)
    response.headers[.wwwAuthenticate] = "Basic realm=\"ipv6check\", charset=\"UTF-8\""
    return response
}
