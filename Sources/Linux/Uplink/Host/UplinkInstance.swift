// SPDX-License-Identifier: Apache-2.0
import Topology

/// One of the simulators that use a host's network side by side, and what is its own there.
///
///     1  nat64sim   nat64sim-0, nat64sim-1 …    table inet nat64sim   192.0.2.0/24   2e00:2:0:1::/64
///     2  nat64sim2  nat64sim2-0, nat64sim2-1 …  table inet nat64sim2  198.19.1.0/24  2e00:2:0:101::/64
///
/// The number is the smallest that is free, and the addresses are the first that the host does not have: the two are independent.
struct UplinkInstance: Hashable, Sendable {
    /// From 1.
    let number: Int
    /// Its addresses.
    let link: ClientLink

    /// A name is given to no more.
    static let limit = 254

    /// Of its anchor, and of its table.
    static func name(_ number: Int) -> String { number == 1 ? "nat64sim" : "nat64sim\(number)" }
    var name: String { Self.name(number) }
    /// What the interfaces of its clients' links are called: this, and a number.
    var linkPrefix: String { name + "-" }

    /// All interfaces of all instances, for nft.
    static let everyInterface = "nat64sim*"
}
