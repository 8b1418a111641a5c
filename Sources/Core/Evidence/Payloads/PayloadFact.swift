// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// What the payload of a client's packets says about addresses.
package struct PayloadFact: Codable, Hashable, Sendable {
    package enum Matter: Codable, Hashable, Sendable {
        /// The client sent an address of its own; the line that it stands in, if it is text.
        case ownAddress(IPAddress, line: String?)
        /// The client sent PORT or EPRT, with whatever address.
        case portCommand(line: String)
        /// The client asked an FTP server for a data connection of IPv6, by this command, and the server knows no IPv6, in these words.
        case refusedFamily(command: String, reply: String)
        /// The client sent a session description or a SIP message that names this line's address for media, or for answers.
        case sessionAddress(line: String, isIPv4: Bool)
        /// The client named this server to the host: in TLS (SNI), or in HTTP's field `Host`.
        case serverName(DomainName)
        /// The client asked the host as a proxy: for a URL with its host or by CONNECT (RFC 9112 §3.2.2, §3.2.3), or as SOCKS5 has it.
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
    /// What the client calls it, if the DNS told it the address.
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
