// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
package import NAT64
package import RouterThread
package import Router
package import Simulator
package import Topology
package import Translation

/// What a conversation with a runner needs of a simulator: places on its networks.
package protocol ClientNetworks: Sendable {
    /// How many clients can be served at the same time.
    var places: Int { get }
    var linkPlan: LinkPlan { get }
    var prefixes: [Pref64] { get }
    /// Puts the client at the other end of `device` on `network`.
    /// - Parameters:
    ///   - links: as this client has them.
    ///   - capture: gets every packet of both sides.
    func join(
        _ device: consuming LinkDevice, to network: Network, at place: ClientSlot, over links: LinkPlan,
        capture: (any PacketTap)?
    ) throws(SimulatorError) -> any AttachedConnection
}

/// A client's connection to its network, while it is there.
package protocol AttachedConnection: Sendable {
    var place: ClientSlot { get }
    /// `nil` while it has none.
    var network: Network? { get }
    /// The client has another network when this returns, or none.
    func move(to network: Network?)
    /// A client that has links of its own has them otherwise when it is moved next.
    func wish(_ wishes: LinkWishes) throws(LinkWishes.Mistake)
    /// The client has another network once this is answered, or none.
    func moving(to network: Network?) -> PendingReply<Bool>
    /// What its path looks like now. A client that has been cut off is asked nothing.
    func snapshot() -> PendingReply<PathSnapshot>
    func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>>
    func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>>
    /// Has the NAT64 forget the client's sessions, and says how many there were.
    func forgetSessions() -> PendingReply<Int>
    /// Has the client cut off, and does not wait for that.
    func requestCut()
    /// Cuts the client off.
    func cut()
    /// Cuts the client off, and says what was seen of it.
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
