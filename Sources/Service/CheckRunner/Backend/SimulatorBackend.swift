// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationText
import Topology
import Evidence
import LinuxNet
import Sandbox
import Wire

/// Who makes the network that a client sits on, and the world behind it: a simulator of the run's own, or a daemon.
///
///     reserve ──► Reservation ──prepare──► PreparedSlot ──connect──► ClientConnection ──end──► what was seen
///
/// Each step takes the value of the one before: none can be left out, and there is no evidence of a client that was never
/// connected. Whoever lets such a value go gives the place back.
protocol SimulatorBackend: AnyObject {
    /// A place for the next client, before it is started.
    func reserve(on network: Network, for client: String) throws(CheckFailure) -> any Reservation & ~Copyable
    /// What is weaker about how it is kept from this machine, and why, a sentence's part each.
    var weaknesses: [String] { get }
    /// Whether somebody may want a client on another network.
    var hasWishes: Bool { get }
    /// What the world's programs may take beyond what everything else takes, to become ready and to end.
    var programLimits: ProgramLimits { get }
    /// What the world's programs have printed, as far as it is known here.
    var programOutput: [(service: World.Service, text: String)] { get }
    /// Has everything that serves end, and does not wait for that: there will be no further client.
    func tellToEnd()
    /// Ends everything that serves.
    func stop()
}

struct ProgramLimits {
    var start = Duration.zero
    var end = Duration.zero
}

/// A place that is kept for a client.
protocol Reservation: ~Copyable {
    var place: ReservedSlot { get }
    /// Begins to make what is not there yet; the client's own place is made at the same time.
    consuming func prepare() throws(CheckFailure) -> any PreparedSlot & ~Copyable
}

/// A place whose network is there, or will be when the client is connected.
protocol PreparedSlot: ~Copyable {
    /// Puts the client at the other end of `device` there.
    /// - Parameters:
    ///   - capture: gets every packet of both sides.
    ///   - keepsPayloads: whether the evidence is to have the beginning of what is sent and received.
    consuming func connect(
        _ device: consuming LinkDevice, capture: CaptureFile?, keepsPayloads: Bool
    ) throws(CheckFailure) -> any ClientConnection & ~Copyable
}

/// A client on its network.
protocol ClientConnection: ~Copyable {
    /// Readable when the far side may have gone, while a client runs.
    var hangUpDescriptor: Int32 { get }
    /// What the far side says while a client runs: another network on which somebody wants it, or other prefixes. Throws where the far side has gone.
    func news() throws(CheckFailure) -> Attachment.News?
    /// Takes the client, which has left its network, to another one, or to none.
    func move(to network: Network?) throws(CheckFailure) -> ReservedSlot
    /// Says that the client has its side of that now.
    func arrive()
    /// Cuts the client off, and says what was seen of it. The capture is whole then.
    consuming func end() throws(CheckFailure) -> NetworkEvidence
}

/// What a client has to know about its place.
struct ReservedSlot {
    var network: ClientNetwork
    var links: LinkConditions
    /// The DNS servers, in the order of resolv.conf.
    var resolvers: [IPAddress]
    /// The Pref64s in presentation format; none on a network without NAT64.
    var prefixes: [String]
    /// The certificate of the CA that it is to trust (PEM), where there is one.
    var authority: String?
}
