import Evidence
import LinuxNet
import Sandbox
import Simulator
import Wire

/// Who makes the network that a client sits on, and the world behind it: a simulator of this process, or a daemon.
///
///     reserve ──► prepare ──► connect ──► end
protocol FarSide: AnyObject {
    /// A place for the next client, before it is started.
    func reserve(on network: Network, for client: String) throws(CheckFailure) -> ReservedPlace
    /// Makes what is not there yet; the client's own place is made at the same time.
    func prepare() throws(CheckFailure)
    /// Puts the client at the other end of `tun` in the place that was reserved last.
    /// - Parameter capture: gets every packet of both sides.
    func connect(_ tun: consuming TUNDevice, capture: CaptureFile?) throws(CheckFailure)
    /// Readable when the far side may have gone, while a client runs; -1 for one that lives as long as this process.
    var hangUpDescriptor: Int32 { get }
    /// Throws where the far side has gone.
    func checkThatItIsThere() throws(CheckFailure)
    /// Cuts the client off, and says what was seen of it. The capture is whole then.
    func end() throws(CheckFailure) -> NetworkEvidence
    /// Ends everything that serves.
    func stop()
}

/// What a client has to know about its place.
struct ReservedPlace {
    var network: ClientNetwork
    var links: LinkConditions
    /// The DNS servers, in the order of resolv.conf.
    var resolvers: [IPAddress]
    /// The Pref64s in presentation format; none on a network without NAT64.
    var prefixes: [String]
    /// The certificate of the CA that it is to trust (PEM), where there is one.
    var authority: String?
}
