// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// `http://api.test/list.json, $.servers[0]`
func phrase(_ place: ReceivedLocation) -> String {
    let host = place.name?.withoutFinalDot ?? place.host.description
    let source: String
    if let request = place.request {
        // The usual port is omitted, even if the client sent it.
        let named = request.host.map { $0.hasSuffix(":80") ? String($0.dropLast(3)) : $0 }
        let url = "http://\(named ?? host)\(request.target)"
        source = request.method == "GET" ? url : "the answer to \(request.method) \(url)"
    } else {
        source = "what \(host) sent (\(place.transport.rawValue) \(place.port))"
    }
    return "\(source), \(phrase(place.spot))"
}

private func phrase(_ spot: ReceivedLocation.Spot) -> String {
    switch spot {
    case .octet(let offset), .packed(let offset, _): "octet \(offset)"
    case .header(let name): "header \(name)"
    case .json(let path), .bencode(let path): path
    case .sessionDescription: "its session description"
    case .candidate: "an ICE candidate"
    case .stun: "a STUN attribute"
    case .commas: "as numbers between commas"
    }
}

/// A `ReceivedLocation` in JSON reports.
struct ReceivedRecord: Encodable, Sendable {
    let transport: String
    let address: String
    let port: UInt16
    /// Absent if no DNS answer gave the address.
    let name: String?
    /// The method of the HTTP request.
    let method: String?
    let target: String?
    /// `header`, `json`, `bencode`, `session-description`, `candidate`, `stun`, `packed`, `commas` or `octet`
    let spot: String
    /// For `json` and `bencode`.
    private(set) var path: String?
    private(set) var header: String?
    private(set) var offset: Int?

    init(_ place: ReceivedLocation) {
        transport = place.transport.rawValue
        address = place.host.description
        port = place.port
        name = place.name?.withoutFinalDot
        method = place.request?.method
        target = place.request?.target
        switch place.spot {
        case .octet(let offset): (spot, self.offset) = ("octet", offset)
        case .packed(let offset, _): (spot, self.offset) = ("packed", offset)
        case .header(let name): (spot, header) = ("header", name)
        case .json(let path): (spot, self.path) = ("json", path)
        case .bencode(let path): (spot, self.path) = ("bencode", path)
        case .sessionDescription: spot = "session-description"
        case .candidate: spot = "candidate"
        case .stun: spot = "stun"
        case .commas: spot = "commas"
        }
    }
}
