import ConfigurationText
import LinuxNet
import Translation
import World

/// The hermetic servers, for a caller that is not asynchronous: the packet path and the launcher need a main thread that
/// waits for nothing but what they say.
struct ServerGroup {
    private let servers: HermeticServers

    init(_ world: World, authority: CertificateAuthority) throws(SimulatorError) {
        let started = blocking {
            await Result<HermeticServers, any Error> {
                try await HermeticServers.start(
                    world, authority: authority, log: RequestLog(), now: { MonotonicClock.now() },
                    synthesise: { address in world.translatedPrefixes.map { $0.embed(address) } })
            }
        }
        switch started {
        case .success(let servers): self.servers = servers
        case .failure(let error): throw .servers("\(error)")
        }
    }

    func stop() {
        blocking { [servers] in await servers.stop() }
    }
}

extension Result where Failure == any Error {
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
