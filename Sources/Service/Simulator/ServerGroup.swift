import ConfigurationText
import LinuxNet
import Translation
import World

/// The hermetic servers, for a caller that is not asynchronous: the packet path and the launcher need a main thread that
/// waits for nothing but what they say.
struct ServerGroup {
    private let servers: HermeticServers

    init(_ world: World, authority: CertificateAuthority) throws(SimulatorError) {
        do {
            servers = try blocking {
                try await HermeticServers.start(
                    world, authority: authority, log: RequestLog(), now: { MonotonicClock.now() },
                    synthesise: { address in world.translatedPrefixes.map { $0.embed(address) } })
            }
        } catch {
            throw .servers("\(error)")
        }
    }

    /// Connections that clients have left open are closed; who does not end in that time ends with the process.
    private static let endingLimit = Duration.seconds(10)

    func stop() {
        _ = blocking(within: Self.endingLimit) { [servers] in await servers.stop() }
    }
}
