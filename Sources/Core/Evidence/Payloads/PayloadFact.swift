// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// A fact about addresses in the payload of a client's packets.
package struct PayloadFact: Codable, Hashable, Sendable {
    package enum Matter: Codable, Hashable, Sendable {
        /// The client sent an address of its own; `line` contains it, if it is text.
        case ownAddress(IPAddress, line: String?)
        /// The client sent PORT or EPRT, with any address.
        case portCommand(line: String)
        /// The client asked an FTP server for an IPv6 data connection with this command. The server supports no IPv6; its reply.
        case refusedFamily(command: String, reply: String)
        /// The client sent a session description or a SIP message in which this line's address is for media, or for answers.
        case sessionAddress(line: String, isIPv4: Bool)
        /// The client named this server to the host: in TLS (SNI), or in HTTP's field `Host`.
        case serverName(DomainName)
        /// The client used the host as a proxy: for a URL with its host or by CONNECT (RFC 9112 §3.2.2, §3.2.3), or by SOCKS5.
        case proxyRequest
        /// The client began a WireGuard handshake.
        case wireGuard
        /// A STUN message told the client this address of its own.
        case mappedAddress(IPAddress)
    }

    package var matter: Matter
    package var transport: Flow.Transport
    /// The far end.
    package var remote: IPAddress
    package var port: UInt16
    /// The name that the client looked up, if the DNS gave the address for it.
    package var name: DomainName?

    package init(
        _ matter: Matter, _ transport: Flow.Transport, with remote: IPAddress, port: UInt16, name: DomainName? = nil
    ) {
        self.matter = matter
        self.transport = transport
        self.remote = remote
        self.port = port
        self.name = name
    }
}
