import ConfigurationText
import Wire
import DNSWire
import HTTPTypes
import Hummingbird

// Resources that tell the client how its request arrived.

/// `/`
@Sendable func describeVisit(_ request: Request, _ visit: Visit) -> Response {
    let service = visit.service
    let asked = request.head.authority.map { $0.isEmpty ? "(no Host header)" : $0 } ?? "(no Host header)"
    return .text(
        """
        asked for: \(asked)
        reached:   \(service.hostNames.map { $0.description.dropLast() }.joined(separator: " "))
        at:        \(service.address.description(port: service.port)) (\(service.kind.word))
        from:      \(visit.peerDescription)

        """)
}

/// `/ip`
@Sendable func tellAddress(_ request: Request, _ visit: Visit) -> Response {
    if request.headers[values: .accept].contains(where: { $0.contains("application/json") }) {
        return .json("{\"ip\": \(jsonString(visit.peerAddress))}")
    }
    return .text(visit.peerAddress + "\n")
}

/// `/headers`
@Sendable func tellHeaders(_ request: Request, _ visit: Visit) -> Response {
    var fields: [(name: String, value: String)] = request.head.authority.map { [("Host", $0)] } ?? []
    for field in request.headers {
        // A field that comes more than once is a list (RFC 9110 §5.2).
        if let index = fields.firstIndex(where: { $0.name.lowercased() == field.name.canonicalName }) {
            fields[index].value += ", " + field.value
        } else {
            fields.append((field.name.rawName, field.value))
        }
    }
    let lines = fields.map { "    \(jsonString($0.name)): \(jsonString($0.value))" }
    return .json("{\n  \"headers\": {\n\(lines.joined(separator: ",\n"))\n  }\n}")
}

/// A string of JSON (RFC 8259 §7), quotes included.
func jsonString(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}
