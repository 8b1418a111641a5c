// SPDX-License-Identifier: Apache-2.0
/// Why a sequence of bytes is not the packet or header that it should be.
public enum WireError: Error, Hashable, Sendable {
    /// Fewer octets than the header needs or says.
    case truncated(needed: Int, available: Int)
    case wrongVersion(UInt8)
    /// The IPv4 header length, in 32-bit words, is below 5.
    case headerTooShort(words: Int)
    case wrongHeaderChecksum
    /// The Total Length or Payload Length is less than the headers take.
    case lengthTooSmall(Int)
    /// A Payload Length of zero announces a jumbogram (RFC 2675), or nothing at all.
    case jumbogram
    /// More extension headers than any honest packet has.
    case tooManyExtensionHeaders
    /// The fragment ends beyond the 65,535 octets that a datagram can have.
    case fragmentBeyondLimit(end: Int)
    /// TCP's data offset is below 5.
    case wrongDataOffset(words: Int)
    /// UDP's length is below 8 or beyond the packet's end.
    case wrongUDPLength(Int)
}
