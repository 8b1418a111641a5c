// SPDX-License-Identifier: Apache-2.0
/// Why a sequence of bytes is no valid packet or header.
public enum WireError: Error, Hashable, Sendable {
    /// Fewer octets than the header needs or claims.
    case truncated(needed: Int, available: Int)
    case wrongVersion(UInt8)
    /// The IPv4 header length, in 32-bit words, is below 5.
    case headerTooShort(words: Int)
    case wrongHeaderChecksum
    /// The Total Length or Payload Length is less than the headers take.
    case lengthTooSmall(Int)
    /// A Payload Length of zero means a jumbogram (RFC 2675), or an empty packet.
    case jumbogram
    /// More extension headers than any legitimate packet has.
    case tooManyExtensionHeaders
    /// The fragment ends beyond the 65,535 octets that a datagram may have.
    case fragmentBeyondLimit(end: Int)
    /// TCP's data offset is below 5.
    case wrongDataOffset(words: Int)
    /// UDP's length is below 8 or beyond the packet's end.
    case wrongUDPLength(Int)
}
