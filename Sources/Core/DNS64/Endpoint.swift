public import Wire

/// Who asks, or who is asked: an address of either family and a port.
public struct Endpoint: Hashable, Sendable {
    public var address: IPAddress
    public var port: UInt16

    public init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension Endpoint: CustomStringConvertible {
    public var description: String { address.description(port: port) }
}

/// What carried a query.
public enum Transport: String, Hashable, Sendable {
    case udp, tcp
}
