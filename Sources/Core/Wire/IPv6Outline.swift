// SPDX-License-Identifier: Apache-2.0
/// What there is to know of an IPv6 packet without its extension headers: whoever has made the packet knows it, and nobody has
/// to examine it again.
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

    /// What an examination has found.
    @inline(always)
    public init(_ layout: IPv6Layout) {
        self.init(source: layout.source, destination: layout.destination, transport: layout.transport)
    }
}
