// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// The place of an address in the data that a host sent to the client.
package struct ReceivedLocation: Codable, Hashable, Sendable {
    /// The place in the message.
    package enum Spot: Codable, Hashable, Sendable {
        /// The number of octets before it in the body of the HTTP answer or, if it is no HTTP, on that connection.
        case octet(Int)
        /// An HTTP header field, `Location`.
        case header(String)
        /// A value of a JSON text, `$.peers[0].ip`.
        case json(String)
        /// A value of a bencoded text, by its keys (BEP 3).
        case bencode(String)
        /// A line of a session description (RFC 8866).
        case sessionDescription
        /// An ICE candidate (RFC 8839).
        case candidate
        /// An attribute of a STUN message (RFC 8489).
        case stun
        /// Four octets of a binary message, and the number in the next two: a port, if peers are listed in this form (BEP 23).
        case packed(Int, next: UInt16)
        /// Numbers between commas, as in FTP's answer to PASV.
        case commas
    }

    /// The client's request.
    package struct Request: Codable, Hashable, Sendable {
        package var method: String
        package var target: String
        /// The field `Host`.
        package var host: String?

        package init(method: String, target: String, host: String? = nil) {
            self.method = method
            self.target = target
            self.host = host
        }
    }

    package var transport: Flow.Transport
    package var host: IPAddress
    package var port: UInt16
    /// The name that the client looked up, if the DNS gave the address for it.
    package var name: DomainName?
    /// The HTTP request, if it is known.
    package var request: Request?
    package var spot: Spot

    package init(
        _ transport: Flow.Transport = .tcp, from host: IPAddress, port: UInt16, name: DomainName? = nil,
        request: Request? = nil, _ spot: Spot
    ) {
        self.transport = transport
        self.host = host
        self.port = port
        self.name = name
        self.request = request
        self.spot = spot
    }

    /// Whether the value there is meant as an address, and is not just one of the numbers in a text.
    package var isMeant: Bool {
        switch spot {
        case .header, .json, .bencode, .sessionDescription, .candidate, .stun, .commas: true
        case .octet, .packed: request.map { resolves($0.target) } ?? false
        }
    }

    /// Whether the request asks for the addresses of a name, as HTTPDNS does: `/d?host=api.test`.
    private func resolves(_ target: String) -> Bool {
        ["host=", "dn=", "domain=", "name="].contains { target.contains("?\($0)") || target.contains("&\($0)") }
    }
}
