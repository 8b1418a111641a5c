public import Wire

/// Makes the ICMP errors that a router or translator originates, and knows about which packets there must be none.
///
/// The packet that is answered stays in its buffer; the error is made in another one, addressed to the packet's source.
/// How many may go out is not its business.
public struct ICMPErrorBuilder: Hashable, Sendable {
    /// The router's own addresses, from which its errors come.
    public var ipv4Source: IPv4Address
    public var ipv6Source: IPv6Address

    public init(ipv4Source: IPv4Address, ipv6Source: IPv6Address) {
        self.ipv4Source = ipv4Source
        self.ipv6Source = ipv6Source
    }

    /// Makes an ICMPv4 error about `packet`; false, and nothing made, where there must be none (RFC 1812 §4.3.2.7).
    public func build(
        _ error: ICMPv4Error, about packet: borrowing PacketBuffer, _ layout: IPv4Layout,
        into reply: inout PacketBuffer
    ) -> Bool {
        false
    }

    /// Makes an ICMPv6 error about `packet`; false, and nothing made, where there must be none (RFC 4443 §2.4(e)).
    public func build(
        _ error: ICMPv6Error, about packet: borrowing PacketBuffer, _ layout: IPv6Layout,
        into reply: inout PacketBuffer
    ) -> Bool {
        false
    }
}
