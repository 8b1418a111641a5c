// SPDX-License-Identifier: Apache-2.0
/// The addresses and transport of an IPv6 packet without its extension headers. The code that made the packet provides it, so the packet
/// need not be examined again.
public struct IPv6Outline: Hashable, Sendable {
    public var source: IPv6Address
    public var destination: IPv6Address
    public var transport: TransportLayout

    @inline(always)
    public init(source: IPv6Address, destination: IPv6Address, transport: TransportLayout) {
        self.source = source
        self.destination = destination
        self.transport = transport
    }

    /// From the result of an examination.
    @inline(always)
    public init(_ layout: IPv6Layout) {
        self.init(source: layout.source, destination: layout.destination, transport: layout.transport)
    }
}
