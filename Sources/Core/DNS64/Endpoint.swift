// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A client or a server: an address of either family and a port.
package struct Endpoint: Codable, Hashable, Sendable {
    package var address: IPAddress
    package var port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension Endpoint {
    /// Reads an address and an optional port, as `dig` and Unbound write them: `192.0.2.53`, `2001:db8::53#5353`.
    package init?(written text: some StringProtocol, defaultPort: UInt16) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        guard parts.count == 2 else {
            self.init(address, port: defaultPort)
            return
        }
        // Digits only: `UInt16` would take a sign as well.
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(parts[1]), port > 0 else {
            return nil
        }
        self.init(address, port: port)
    }
}

extension Endpoint: CustomStringConvertible {
    package var description: String { address.description(port: port) }
}

/// The transport of a query.
package enum Transport: String, Codable, Hashable, Sendable {
    case udp, tcp
}
