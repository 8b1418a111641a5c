// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Wire
import DNSWire
import HTTPTypes
import HTTPServing
import NIOCore
import Text

// Resources that show the client how its request arrived.

/// `/`
@Sendable func describeRequest(_ request: Request, _ context: RequestContext) -> Response {
    let service = context.service
    let asked = request.authority.map { $0.isEmpty ? "(no Host header)" : $0 } ?? "(no Host header)"
    return .text(
        """
        asked for: \(asked)
        reached:   \(service.hostNames.map { $0.description.dropLast() }.joined(separator: " "))
        at:        \(service.address.description(port: service.port)) (\(service.kind.word))
        from:      \(context.peerDescription)

        """)
}

/// `/ip`
@Sendable func tellAddress(_ request: Request, _ context: RequestContext) -> Response {
    if request.headers[values: .accept].contains(where: { $0.contains("application/json") }) {
        return .json("{\"ip\": \(jsonString(context.peerAddress))}")
    }
    return .text(context.peerAddress + "\n")
}

/// `/headers`
@Sendable func tellHeaders(_ request: Request, _ context: RequestContext) -> Response {
    .json("{\n  \"headers\": \(fields(of: request))\n}")
}

/// The request's header fields as a JSON object, Host first.
private func fields(of request: Request) -> String {
    var fields: [(name: String, value: String)] = request.authority.map { [("Host", $0)] } ?? []
    for field in request.headers {
        // A repeated field is a list (RFC 9110 §5.2).
        if let index = fields.firstIndex(where: { $0.name.lowercased() == field.name.canonicalName }) {
            fields[index].value += ", " + field.value
        } else {
            fields.append((field.name.rawName, field.value))
        }
    }
    let lines = fields.map { "    \(jsonString($0.name)): \(jsonString($0.value))" }
    return "{\n\(lines.joined(separator: ",\n"))\n  }"
}

/// `/anything`: the whole request in JSON, its body as text (64 KiB at most).
@Sendable func tellAnything(_ request: Request, _ context: RequestContext) async throws -> Response {
    let limit = 1 << 16
    var body = ByteBuffer()
    for try await part in request.body where body.readableBytes < limit { body.writeImmutableBuffer(part) }
    let text = String(decoding: body.readableBytesView.prefix(limit), as: UTF8.self)
    return .json(
        """
        {
          "method": \(jsonString(request.method.rawValue)),
          "url": \(jsonString(request.target)),
          "origin": \(jsonString(context.peerAddress)),
          "data": \(jsonString(text)),
          "headers": \(fields(of: request))
        }
        """)
}
