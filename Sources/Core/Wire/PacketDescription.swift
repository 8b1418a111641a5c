// SPDX-License-Identifier: Apache-2.0
/// A packet in one line, for users: `TCP 2e00:2:0:1::c0:100.41234 → 64:ff9b::c633:640a.80, 60 octets`.
public enum PacketDescription {
    public static func of(_ bytes: Span<UInt8>) -> String {
        if bytes.isEmpty { return "empty packet" }
        switch bytes[0] >> 4 {
        case 6:
            guard let layout = try? IPv6Layout(bytes) else { return "malformed IPv6 packet, \(octets(bytes))" }
            return line(layout.transport, "\(layout.source)", "\(layout.destination)", bytes)
        case 4:
            guard let layout = try? IPv4Layout(bytes) else { return "malformed IPv4 packet, \(octets(bytes))" }
            return line(layout.transport, "\(layout.source)", "\(layout.destination)", bytes)
        default:
            return "no IP packet, \(octets(bytes))"
        }
    }

    private static func octets(_ bytes: Span<UInt8>) -> String {
        bytes.count == 1 ? "1 octet" : "\(bytes.count) octets"
    }

    private static func line(
        _ transport: TransportLayout, _ source: String, _ destination: String, _ bytes: Span<UInt8>
    ) -> String {
        let end = ", \(octets(bytes))"
        switch transport.kind {
        case .tcp, .udp:
            return "\(transport.protocolNumber) \(source).\(transport.sourcePort) → "
                + "\(destination).\(transport.destinationPort)" + end
        case .icmpEcho, .icmpError, .icmpOther:
            let type = bytes[transport.offset + ICMPHeader.type]
            let code = bytes[transport.offset + ICMPHeader.code]
            return "\(transport.protocolNumber) type \(type) code \(code) \(source) → \(destination)" + end
        case .laterFragment:
            return "fragment of \(transport.protocolNumber) \(source) → \(destination)" + end
        case .opaque:
            return "\(transport.protocolNumber) \(source) → \(destination)" + end
        }
    }
}
