// SPDX-License-Identifier: Apache-2.0
/// The networks that a client can be put on, by the names that users write. Their properties are in Topology (`NetworkEntry`).
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
    /// The networks on which the client has no IPv4 at all: a program that needs IPv4 fails on each.
    package static let ipv6Only: Set = [.nat64, .nat64NoDNS64, .strict, .strictNoLoopback4]
    /// The networks without IPv4 from which a NAT64 leads to IPv4.
    package static let translated: Set = [.nat64, .nat64NoDNS64]
}
