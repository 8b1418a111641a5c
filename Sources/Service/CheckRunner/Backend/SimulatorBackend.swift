// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationText
import Topology
import Evidence
import LinuxNet
import Sandbox
import Wire

/// The maker of a client's network and of the world behind it: a simulator of the run's own, or a daemon.
///
///     reserve ──► Reservation ──prepare──► PreparedSlot ──connect──► ClientConnection ──end──► what was seen
///
/// Each step consumes the value of the one before: none can be left out, and there is no evidence of a client that was never connected.
/// Dropping such a value gives the place back.
protocol SimulatorBackend: AnyObject {
    /// A place for the next client, before it is started.
    func reserve(on network: Network, for client: String) throws(CheckFailure) -> any Reservation & ~Copyable
    /// Weaknesses in the far side's isolation from this machine, and their reasons, a part of a sentence each.
    var weaknesses: [String] { get }
    /// Whether a client may be requested on another network.
    var hasWishes: Bool { get }
    /// The time that the world's programs may take in addition to everything else, to become ready and to end.
    var programLimits: ProgramLimits { get }
    /// The output of the world's programs, as far as it is known here.
    var programOutput: [(service: World.Service, text: String)] { get }
    /// Tells everything that serves to end, without waiting for that: there will be no further client.
    func tellToEnd()
    /// Ends everything that serves.
    func stop()
}

struct ProgramLimits {
    var start = Duration.zero
    var end = Duration.zero
}

/// A place that is reserved for a client.
protocol Reservation: ~Copyable {
    var place: ReservedSlot { get }
    /// Begins to make the parts that do not exist yet; the client's own place is made at the same time.
    consuming func prepare() throws(CheckFailure) -> any PreparedSlot & ~Copyable
}

/// A place whose network exists, or will exist when the client is connected.
protocol PreparedSlot: ~Copyable {
    /// Connects the client at the other end of `device`.
    /// - Parameters:
    ///   - capture: gets every packet of both sides.
    ///   - keepsPayloads: whether the evidence is to include the beginning of the data sent and received.
    consuming func connect(
        _ device: consuming LinkDevice, capture: CaptureFile?, keepsPayloads: Bool
    ) throws(CheckFailure) -> any ClientConnection & ~Copyable
}

/// A client on its network.
protocol ClientConnection: ~Copyable {
    /// Readable when the far side may have gone, while a client runs.
    var hangUpDescriptor: Int32 { get }
    /// News from the far side while a client runs: a request for another network, or other prefixes. Throws if the far side has gone.
    func news() throws(CheckFailure) -> Attachment.News?
    /// Moves the client, which has left its network, to another one, or to none.
    func move(to network: Network?) throws(CheckFailure) -> ReservedSlot
    /// Reports that the client now has its side of the network.
    func arrive()
    /// Disconnects the client, and returns the evidence about it. The capture is complete then.
    consuming func end() throws(CheckFailure) -> NetworkEvidence
}

/// The properties of a place that a client needs.
struct ReservedSlot {
    var network: ClientNetwork
    var links: LinkConditions
    /// The DNS servers, in the order of resolv.conf.
    var resolvers: [IPAddress]
    /// The Pref64s in presentation format; none on a network without NAT64.
    var prefixes: [String]
    /// The certificate of the CA that the client is to trust (PEM), if there is one.
    var authority: String?
}
