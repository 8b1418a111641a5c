// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
package import NAT64
package import RouterThread
package import Router
package import Simulator
package import Topology
package import Translation

/// The part of a simulator that a conversation with a runner needs: slots on its networks.
package protocol ClientNetworks: Sendable {
    /// Number of clients that can be served at the same time.
    var places: Int { get }
    var linkPlan: LinkPlan { get }
    var prefixes: [Pref64] { get }
    /// Puts the client at the other end of `device` on `network`.
    /// - Parameters:
    ///   - links: the properties of this client's links.
    ///   - capture: gets every packet of both sides.
    func join(
        _ device: consuming LinkDevice, to network: Network, at place: ClientSlot, over links: LinkPlan,
        capture: (any PacketTap)?
    ) throws(SimulatorError) -> any AttachedConnection
}

/// A client's connection to its network, while the client is attached.
package protocol AttachedConnection: Sendable {
    var place: ClientSlot { get }
    /// `nil` while the client has no network.
    var network: Network? { get }
    /// Moves the client to another network, or to none, before it returns.
    func move(to network: Network?)
    /// Changes the properties of a client's own links; applies when the client is moved next.
    func wish(_ wishes: LinkWishes) throws(LinkWishes.Mistake)
    /// Moves the client to another network, or to none; answered when that is done.
    func moving(to network: Network?) -> PendingReply<Bool>
    /// The state of its path now. A client that has been cut off is not asked.
    func snapshot() -> PendingReply<PathSnapshot>
    func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>>
    func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>>
    /// Has the NAT64 forget the client's sessions; answered with their number.
    func forgetSessions() -> PendingReply<Int>
    /// Starts to cut the client off, and does not wait for it.
    func requestCut()
    /// Cuts the client off.
    func cut()
    /// Cuts the client off, and returns the evidence of it.
    func end() -> NetworkEvidence
}

extension Connection: AttachedConnection {}

extension Simulator: ClientNetworks {
    package func join(
        _ device: consuming LinkDevice, to network: Network, at place: ClientSlot, over links: LinkPlan,
        capture: (any PacketTap)?
    ) throws(SimulatorError) -> any AttachedConnection {
        try connect(device, to: network, at: place, over: links, capture: capture)
    }
}
