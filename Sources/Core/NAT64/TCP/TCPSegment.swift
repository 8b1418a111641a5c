// SPDX-License-Identifier: Apache-2.0
import Wire

/// The meaning of a TCP segment for the state machine.
enum TCPSegment: UInt8, CaseIterable {
    case syn, fin, rst, other

    /// A segment with several of the flags counts as the one that its receiver would obey first (RFC 9293 §3.10.7.4).
    @inline(always)
    init(_ flags: TCPHeader.Flags) {
        if flags.contains(.rst) {
            self = .rst
        } else if flags.contains(.syn) {
            self = .syn
        } else if flags.contains(.fin) {
            self = .fin
        } else {
            self = .other
        }
    }

    /// The layout must have a TCP header.
    @inline(always)
    init(of packet: Span<UInt8>, _ layout: TransportLayout) {
        self.init(TCPHeader.Flags(rawValue: packet[layout.offset + TCPHeader.flags]))
    }
}
