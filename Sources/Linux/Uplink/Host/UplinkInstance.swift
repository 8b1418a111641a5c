// SPDX-License-Identifier: Apache-2.0
import Topology

/// One of the simulators that share a host's network, and its names and addresses there.
///
///     1  nat64sim   nat64sim-0, nat64sim-1 …    table inet nat64sim   192.0.2.0/24   2e00:2:0:1::/64
///     2  nat64sim2  nat64sim2-0, nat64sim2-1 …  table inet nat64sim2  198.19.1.0/24  2e00:2:0:101::/64
///
/// The number is the smallest free one, and the addresses are the first that the host does not have; the two are independent.
struct UplinkInstance: Hashable, Sendable {
    /// From 1.
    let number: Int
    /// The instance's addresses.
    let link: ClientLink

    /// Maximum number of instances.
    static let limit = 254

    /// The name of its anchor and of its table.
    static func name(_ number: Int) -> String { number == 1 ? "nat64sim" : "nat64sim\(number)" }
    var name: String { Self.name(number) }
    /// The prefix of its client links' interface names; a number follows.
    var linkPrefix: String { name + "-" }

    /// All interfaces of all instances, for nft.
    static let everyInterface = "nat64sim*"
}
