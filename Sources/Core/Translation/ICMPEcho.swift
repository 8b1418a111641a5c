// SPDX-License-Identifier: Apache-2.0
import Wire

/// Echo and Echo Reply (RFC 7915 §4.2, §5.2): 8 ↔ 128, 0 ↔ 129.
enum ICMPEcho {
    @inline(always)
    static func ipv6Type(of type: UInt8) -> UInt8 {
        type == ICMPv4Type.echoRequest ? ICMPv6Type.echoRequest : ICMPv6Type.echoReply
    }

    @inline(always)
    static func ipv4Type(of type: UInt8) -> UInt8 {
        type == ICMPv6Type.echoRequest ? ICMPv4Type.echoRequest : ICMPv4Type.echoReply
    }
}
