import PacketPath
import Router
import DNSServer
import Evidence
import LinuxNet
import NAT64
import Simulator
import Topology
import Translation

/// What the daemon's conversations need of the simulator: places on its networks, and what can be changed about these.
protocol ClientNetworks: Sendable {
    /// How many clients can be served at the same time.
    var places: Int { get }
    var linkPlan: LinkPlan { get }
    var prefixes: [Pref64] { get }
    var dns: DNSService { get }
    /// Puts the client at the other end of `tun` on `network`.
    /// - Parameter capture: gets every packet of both sides.
    func join(
        _ tun: consuming TUNDevice, to network: Network, at place: ClientPlace, capture: (any PacketTap)?
    ) throws(SimulatorError) -> any AttachedConnection
    /// Why the network cannot have this prefix, `nil` if it can.
    func objection(to pref64: Pref64) -> String?
    /// Gives the `nat64` network another prefix, for these clients too.
    func change(to pref64: Pref64, for connections: [any AttachedConnection])
}

/// A client's connection to its network, while it is there.
protocol AttachedConnection: Sendable {
    var place: ClientPlace { get }
    var network: Network { get }
    /// What its path looks like now; `nil` if it has been cut off, or does not answer in time.
    func snapshot() -> PathSnapshot?
    func sessions(limit: Int) -> TableExcerpt<SessionReport>?
    func bindings(limit: Int) -> TableExcerpt<BindingReport>?
    /// Cuts the client off.
    func cut()
    /// Cuts the client off, and says what was seen of it.
    func end() -> NetworkEvidence
}

extension Connection: AttachedConnection {}

extension Simulator: ClientNetworks {
    func join(
        _ tun: consuming TUNDevice, to network: Network, at place: ClientPlace, capture: (any PacketTap)?
    ) throws(SimulatorError) -> any AttachedConnection {
        try connect(tun, to: network, at: place, capture: capture)
    }

    func change(to pref64: Pref64, for connections: [any AttachedConnection]) {
        change(to: pref64, for: connections.compactMap { $0 as? Connection })
    }
}
