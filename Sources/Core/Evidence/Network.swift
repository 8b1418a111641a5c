// SPDX-License-Identifier: Apache-2.0
/// The networks that a client can be put on, by the names that users write. What each has, Topology says (`NetworkEntry`).
package enum Network: String, Codable, Sendable, CaseIterable {
    case nat64
    case nat64NoDNS64 = "nat64-no-dns64"
    case nat64CLAT = "nat64+clat"
    case strict
    case strictNoLoopback4 = "strict-no-lo4"
    case ipv4Only = "ipv4-only"
    /// The network of the control run.
    case dualStack = "dual-stack"
}

extension Set<Network> {
    /// Those on which the client has no IPv4 at all: what is wrong with a client without it is wrong on each.
    package static let ipv6Only: Set = [.nat64, .nat64NoDNS64, .strict, .strictNoLoopback4]
    /// Of those, the ones from which a NAT64 leads to IPv4.
    package static let translated: Set = [.nat64, .nat64NoDNS64]
}
