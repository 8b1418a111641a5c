import ConfigurationText
import Evidence
import LinuxNet
import Topology
import Translation
import Wire
import World

/// The hermetic servers, for a caller that is not asynchronous: the packet path and the launcher need a main thread that
/// waits for nothing but what they say.
struct ServerGroup {
    private let servers: HermeticServers

    init(
        _ world: World, authority: CertificateAuthority, programs: ProgramStarter?, interfaces: [Int]
    ) throws(SimulatorError) {
        do {
            servers = try blocking {
                try await HermeticServers.start(
                    // Nobody reads the requests here.
                    world, authority: authority, log: RequestLog(capacity: 0), now: { MonotonicClock.now() },
                    limit: ServedConnections.limit(descriptors: DescriptorLimit.current), programs: programs,
                    interfaces: interfaces)
            }
        } catch {
            throw .servers("\(error)")
        }
    }

    /// A client has come to this place.
    func begin(_ place: ClientPlace, at start: Instant) { servers.connections.begin(place, at: start) }

    /// The client of this place has gone.
    /// - Returns: what it was refused.
    func end(_ place: ClientPlace) -> [WorldRefusal] { servers.connections.end(place) }

    /// Connections that clients have left open are closed; who does not end in that time ends with the process.
    private static let endingLimit = Duration.seconds(10)

    func stop() {
        _ = blocking(within: Self.endingLimit) { [servers] in await servers.stop() }
    }
}
