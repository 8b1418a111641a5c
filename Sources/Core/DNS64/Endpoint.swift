package import Wire

/// Who asks, or who is asked: an address of either family and a port.
package struct Endpoint: Codable, Hashable, Sendable {
    package var address: IPAddress
    package var port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension Endpoint: CustomStringConvertible {
    package var description: String { address.description(port: port) }
}

/// What carried a query.
package enum Transport: String, Codable, Hashable, Sendable {
    case udp, tcp
}
