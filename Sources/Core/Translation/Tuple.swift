// SPDX-License-Identifier: Apache-2.0
public import Wire

/// Source and destination of an IPv4 packet. For ICMP queries both ports are the identifier; if a packet has no ports (another protocol, a
/// later fragment) they are 0 and are not written.
public struct Tuple4: Hashable, Sendable {
    public var source: IPv4Address
    public var destination: IPv4Address
    public var sourcePort: UInt16
    public var destinationPort: UInt16

    @inlinable
    public init(
        source: IPv4Address, sourcePort: UInt16 = 0, destination: IPv4Address, destinationPort: UInt16 = 0
    ) {
        self.source = source
        self.destination = destination
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
    }

    /// The addresses and ports of the packet itself.
    @inlinable
    public init(_ layout: IPv4Layout) {
        self.init(
            source: layout.source, sourcePort: layout.transport.sourcePort, destination: layout.destination,
            destinationPort: layout.transport.destinationPort)
    }
}

/// Source and destination of an IPv6 packet; ports as in `Tuple4`.
public struct Tuple6: Hashable, Sendable {
    public var source: IPv6Address
    public var destination: IPv6Address
    public var sourcePort: UInt16
    public var destinationPort: UInt16

    @inlinable
    public init(
        source: IPv6Address, sourcePort: UInt16 = 0, destination: IPv6Address, destinationPort: UInt16 = 0
    ) {
        self.source = source
        self.destination = destination
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
    }

    /// The addresses and ports of the packet itself.
    @inlinable
    public init(_ layout: IPv6Layout) {
        self.init(
            source: layout.source, sourcePort: layout.transport.sourcePort, destination: layout.destination,
            destinationPort: layout.transport.destinationPort)
    }
}
