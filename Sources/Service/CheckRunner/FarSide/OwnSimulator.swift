import ConfigurationText
import Topology
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

    func reserve(on network: Network, for client: String) -> any Reservation & ~Copyable {
        let place = ReservedPlace(
            network: ClientPlace.first.clientNetwork(on: network, links), links: links.conditions,
            resolvers: ClientPlace.resolvers(on: network),
            prefixes: network == .nat64 ? world.translatedPrefixes.map { "\($0)" } : [],
            authority: authority.certificatePEM)
        return OwnReservation(place: place, network: network, owner: self)
    }

    func stop() {
        simulator?.stop()
    }

    /// The simulator, which is made once and serves one run after the other.
    fileprivate func running() throws(CheckFailure) -> Simulator {
        if let simulator { return simulator }
        let made = try CheckFailure.wrapping { () throws(SimulatorError) in
            try Simulator(SimulatorConfiguration(world: world, links: links, authority: authority))
        }
        simulator = made
        return made
    }
}

private struct OwnReservation: Reservation, ~Copyable {
    let place: ReservedPlace
    let network: Network
    let owner: OwnSimulator

    consuming func prepare() throws(CheckFailure) -> any PreparedPlace & ~Copyable {
        OwnPlace(network: network, simulator: try owner.running())
    }
}

private struct OwnPlace: PreparedPlace, ~Copyable {
    let network: Network
    let simulator: Simulator

    consuming func connect(
        _ tun: consuming TUNDevice, capture: CaptureFile?
    ) throws(CheckFailure) -> any ClientConnection & ~Copyable {
        let tap = try capture.map { file throws(CheckFailure) in CaptureTap(try file.writer()) }
        let (simulator, network) = (simulator, network)
        let connection = try CheckFailure.wrapping(tun) { (tun) throws(SimulatorError) in
            try simulator.connect(tun, to: network, capture: tap)
        }
        return OwnConnection(connection: connection, tap: tap)
    }
}

private struct OwnConnection: ClientConnection, ~Copyable {
    let connection: Connection
    let tap: CaptureTap?

    var hangUpDescriptor: Int32 { -1 }

    func checkThatItIsThere() {}

    consuming func end() throws(CheckFailure) -> NetworkEvidence {
        let evidence = connection.end()
        do throws(CaptureError) {
            try tap?.close()
        } catch {
            throw CaptureFile.failure("\(error)")
        }
        return evidence
    }
}
