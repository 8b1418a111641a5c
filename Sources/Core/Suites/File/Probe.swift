// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology

/// Something that a client of the far side does with a listener under test.
package struct Probe: Codable, Hashable, Sendable {
    package enum Origin: String, Codable, Hashable, Sendable, CaseIterable {
        case ipv6
        case ipv4
        /// An IPv4 client of a server without IPv4, by a binding of the NAT64 that is there from the start.
        case ipv4ThroughNAT64 = "ipv4-through-nat64"

        /// Whether a client that comes from there finds the listener on this network. A CLAT is for what the listener's machine opens
        /// itself: nobody comes in by its IPv4 address.
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
        /// A connection, and nothing else.
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
    /// Of an answer over HTTP; `nil` is any below 400.
    package var status: Int?
    /// Of an answer's body, or of what a command prints.
    package var body: [TextExpectation]

    package init(_ origin: Origin, _ action: Action, status: Int? = nil, body: [TextExpectation] = []) {
        self.origin = origin
        self.action = action
        self.status = status
        self.body = body
    }
}

/// What a listener is to listen to.
package enum ListenFamily: String, Codable, Hashable, Sendable, CaseIterable {
    case ipv6
    case ipv4
}
