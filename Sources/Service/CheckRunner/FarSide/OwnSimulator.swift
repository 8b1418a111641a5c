import Capture
import Evidence
import LinuxNet
import PacketPath
import Simulator
import Translation
import World

/// A simulator that lives in this process and ends with it.
final class OwnSimulator: FarSide {
    private let world: World
    private let links: LinkPlan
    private let authority: CertificateAuthority
    private var simulator: Simulator?
    private var network = Network.nat64
    private var connection: Connection?
    private var tap: CaptureTap?

    /// The process is in the namespace in which the world is made.
    init(world: World, links: LinkPlan) throws(CheckFailure) {
        self.links = links
        self.world = world
        do {
            authority = try CertificateAuthority()
        } catch {
            throw CheckFailure("cannot make the test CA: \(error)", .machineCannot)
        }
    }

    func reserve(on network: Network, for client: String) throws(CheckFailure) -> ReservedPlace {
        self.network = network
        return ReservedPlace(
            network: ClientPlace.first.clientNetwork(on: network, links), links: links.conditions,
            resolvers: ClientPlace.resolvers(on: network),
            prefixes: network == .nat64 ? world.translatedPrefixes.map { "\($0)" } : [],
            authority: authority.certificatePEM)
    }

    func connect(_ tun: consuming TUNDevice, capture: CaptureFile?) throws(CheckFailure) {
        guard let simulator else { preconditionFailure("not prepared") }
        if let capture { tap = CaptureTap(try capture.writer()) }
        connection = try CheckFailure.wrapping(tun) { (tun) throws(SimulatorError) in
            try simulator.connect(tun, to: network, capture: tap)
        }
    }

    var hangUpDescriptor: Int32 { -1 }

    func checkThatItIsThere() {}

    func end() throws(CheckFailure) -> NetworkEvidence {
        let evidence = connection.take()?.end()
        do throws(CaptureError) {
            try tap.take()?.close()
        } catch {
            throw CaptureFile.failure("\(error)")
        }
        return evidence ?? NetworkEvidence()
    }

    func stop() {
        simulator?.stop()
    }

    func prepare() throws(CheckFailure) {
        guard simulator == nil else { return }
        simulator = try CheckFailure.wrapping { () throws(SimulatorError) in
            try Simulator(SimulatorConfiguration(world: world, links: links, authority: authority))
        }
    }
}
