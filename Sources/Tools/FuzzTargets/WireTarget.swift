// SPDX-License-Identifier: Apache-2.0
import Wire

/// All offsets of a layout lie within its octets, and addresses in text survive a round trip.
func fuzzWire(_ input: [UInt8]) throws(BrokenInvariant) {
    if let layout = try? IPv4Layout(input.span) {
        try check(layout.transport, from: IPv4Header.length, within: input.count)
        try require(layout.end == layout.totalLength, "an end other than the total length")
        if layout.transport.kind == .icmpError, let quoted = try? layout.quotedPacket(in: input.span) {
            try check(quoted.transport, from: quoted.start + IPv4Header.length, within: input.count)
        }
    }
    if let layout = try? IPv6Layout(input.span) {
        try check(layout.transport, from: IPv6Header.length, within: input.count)
        try require(layout.end == IPv6Header.length + layout.payloadLength, "an end other than the payload's")
        try check(layout, within: input.count)
        if layout.transport.kind == .icmpError, let quoted = try? layout.quotedPacket(in: input.span) {
            try check(quoted.transport, from: quoted.start + IPv6Header.length, within: input.count)
            try check(quoted, within: input.count)
        }
    }
    try checkText(String(decoding: input, as: UTF8.self))
}

private func check(
    _ transport: TransportLayout, from headerEnd: Int, within count: Int
) throws(BrokenInvariant) {
    try require(transport.offset >= headerEnd && transport.count >= 0, "a transport in front of its header")
    try require(transport.end <= count, "a transport beyond the packet")
    if let field = transport.checksumOffset, transport.kind != .tcp {
        try require(transport.offset + field + 2 <= count, "a checksum beyond the packet")
    }
}

private func check(_ layout: IPv6Layout, within count: Int) throws(BrokenInvariant) {
    if let offset = layout.fragmentHeader {
        try require(offset + IPv6FragmentHeader.length <= layout.transport.offset, "a Fragment header in the transport")
    }
    if let offset = layout.unexpiredRoute { try require(offset < layout.transport.offset, "a route in the transport") }
    let end = layout.fragment.offset + layout.transport.count
    try require(layout.fragment.isWhole || end <= 65_535, "a fragment beyond the end of any datagram")
}

/// An address that can be parsed survives being written and parsed again.
private func checkText(_ text: String) throws(BrokenInvariant) {
    if let address = IPv4Address(text) {
        try require(IPv4Address(address.description) == address, "\(text) and \(address) differ")
    }
    if let address = IPv6Address(text) {
        try require(IPv6Address(address.description) == address, "\(text) and \(address) differ")
    }
    if let prefix = IPv4Prefix(text) {
        try require(IPv4Prefix(prefix.description) == prefix, "\(text) and \(prefix) differ")
    }
    if let prefix = IPv6Prefix(text) {
        try require(IPv6Prefix(prefix.description) == prefix, "\(text) and \(prefix) differ")
    }
}
