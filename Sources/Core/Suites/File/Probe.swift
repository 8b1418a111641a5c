// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology

/// An action of a client on the far side towards a server under test.
package struct Probe: Codable, Hashable, Sendable {
    package enum Origin: String, Codable, Hashable, Sendable, CaseIterable {
        case ipv6
        case ipv4
        /// An IPv4 client of a server without IPv4, through a static binding of the NAT64.
        case ipv4ThroughNAT64 = "ipv4-through-nat64"

        /// Whether a client of this origin can reach the listener on this network. A CLAT is for connections that the listener's machine
        /// opens itself: clients cannot reach it at its IPv4 address.
        package func leads(to network: Network) -> Bool {
            switch self {
            case .ipv6: network.entry.ipv6 != nil
            case .ipv4: network.entry.ipv4 != nil
            case .ipv4ThroughNAT64: network.entry.hasNAT64
            }
        }
    }

    package enum Action: Codable, Hashable, Sendable {
        case page(PageRequest)
        /// A connection only.
        case tcp(UInt16)
        /// A program on the far side, with the listener's address and port in its environment.
        case command([String], port: UInt16)

        package var port: UInt16 {
            switch self {
            case .page(let request): request.port
            case .tcp(let port), .command(_, let port): port
            }
        }
    }

    package var origin: Origin
    package var action: Action
    /// Expected status of an HTTP response; `nil` for any below 400.
    package var status: Int?
    /// Expectations of a response's body, or of a command's output.
    package var body: [TextExpectation]

    package init(_ origin: Origin, _ action: Action, status: Int? = nil, body: [TextExpectation] = []) {
        self.origin = origin
        self.action = action
        self.status = status
        self.body = body
    }
}

/// The family that a listener must accept.
package enum ListenFamily: String, Codable, Hashable, Sendable, CaseIterable {
    case ipv6
    case ipv4
}
