// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// A question that a client asked a resolver of the simulated world, in place of the network's own, and its answer. The same question to
/// the same resolver with the same answer is kept once.
package struct ServedQuery: Codable, Hashable, Sendable {
    /// The protocol that carried it.
    package enum Carrier: String, Codable, Hashable, Sendable {
        /// DNS over TLS (RFC 7858).
        case tls = "dot"
        /// DNS over HTTPS (RFC 8484).
        case https = "doh"
        /// A request and an answer in text or JSON.
        case httpDNS = "httpdns"
    }

    /// When the question first arrived, since the client was connected.
    package var time: Duration
    /// The service's address in the world.
    package var address: IPAddress
    package var port: UInt16
    package var carrier: Carrier
    package var question: Question
    package var responseCode: ResponseCode
    /// The first addresses of the answer.
    package var addresses: [IPAddress]
    package var count = 1

    package init(
        time: Duration = .zero, address: IPAddress, port: UInt16, carrier: Carrier, question: Question,
        responseCode: ResponseCode = .noError, addresses: [IPAddress]
    ) {
        self.time = time
        self.address = address
        self.port = port
        self.carrier = carrier
        self.question = question
        self.responseCode = responseCode
        self.addresses = addresses
    }
}
