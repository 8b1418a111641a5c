// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

extension ProxyRequest {
    /// The answer for the client; empty if the host itself answers.
    /// - Parameter end: the proxy's own end of the connection.
    package func answer(_ result: ProxiedRequest.Result, from end: (address: IPAddress, port: UInt16)? = nil) -> [UInt8]
    {
        switch wanted.manner {
        case .socks4: return SOCKS4.answer(result)
        case .socks5:
            let reply = Self.reply(result)
            return end.map { SOCKS5.answer(reply, from: $0) } ?? SOCKS5.answer(reply)
        case .connect where result == .connected:
            // RFC 9110 §9.3.6: the tunnel begins after the head, so the answer has no body.
            return Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
        case .request where result == .connected: return []
        case .connect, .request:
            // The statuses that RFC 9209 §2.3 recommends.
            let (status, reason) =
                switch result {
                case .timedOut: (504, "Gateway Timeout")
                case .noRoom: (503, "Service Unavailable")
                default: (502, "Bad Gateway")
                }
            return httpAnswer(
                status, reason, fields: ["Proxy-Status: ipv6check; error=\(result.rawValue)"],
                text: "The proxy did not reach \(wanted.host) port \(wanted.port): \(result.rawValue)")
        }
    }

    private static func reply(_ result: ProxiedRequest.Result) -> UInt8 {
        switch result {
        case .connected: SOCKS5.Reply.succeeded
        case .nameUnknown, .timedOut: SOCKS5.Reply.hostUnreachable
        case .unroutable: SOCKS5.Reply.networkUnreachable
        case .refused: SOCKS5.Reply.refused
        case .notOffered: SOCKS5.Reply.unknownCommand
        case .open, .noRoom, .unreadable: SOCKS5.Reply.failed
        }
    }
}
