import ConfigurationText
import LinuxNet
import Wire

/// The services of a world that are programs of this machine: one thread accepts for all of them, and starts programs.
///
/// At most `limit` programs for connections run at a time; further connections wait, so that no client's keep another's waiting
/// (`ProgramLoop`). When the servers stop, all programs and what they have started are ended.
final class ProgramServers: Sendable {
    /// Programs for connections at a time, of all services together.
    static let limit = 64

    private let loop: LoopThread<ProgramLoop>
    private let thread: ProgramThread

    /// Serves from when this returns; what lives for the run has been started.
    /// - Parameters:
    ///   - connections: what the programs' connections share with those of the other services.
    ///   - thread: where connections come in that others have accepted.
    init(
        _ doors: [ProgramDoor], _ standing: [StandingProgram], _ starter: ProgramStarter,
        _ connections: ServedConnections, _ thread: ProgramThread
    ) throws(SystemError) {
        self.thread = thread
        let interests = try InterestList()
        loop = try LoopThread(
            name: "programs", try ProgramLoop(doors, standing, starter, connections, thread, interests), on: interests)
        thread.set(loop)
        try loop.start()
    }

    /// Starts to accept on behalf of all programs, and waits for those that listen for themselves; `nil` if the world has none.
    static func start(
        _ doors: WorldDoors, of world: World, _ starter: ProgramStarter, _ connections: ServedConnections,
        _ thread: ProgramThread
    ) throws(ServiceStartError) -> ProgramServers? {
        guard let first = world.services.first(where: \.kind.startsPrograms) else { return nil }
        let servers: ProgramServers
        do throws(SystemError) {
            servers = try ProgramServers(doors.programs, doors.standing, starter, connections, thread)
        } catch {
            throw ServiceStartError(service: first, reason: "\(error)")
        }
        for program in doors.standing {
            if let reason = servers.obstacle(to: program) {
                servers.end()
                let service = world.services.first { doors.programNumbers[$0] == program.number }!
                throw ServiceStartError(service: service, reason: reason)
            }
        }
        return servers
    }

    /// Waits until a program listens; says why it does not.
    private func obstacle(to program: StandingProgram) -> String? {
        let address = SocketAddress(program.service.address, port: program.service.port)
        let end = MonotonicClock.now() + Self.startingLimit
        var pause = Self.firstPause
        while MonotonicClock.now() < end {
            do throws(SystemError) {
                if try PortProbe.isTaken(address, program.transport) { return nil }
            } catch {
                return "\(error)"
            }
            if thread.hasEnded(program.service) { return "its program ended before it listened there" }
            sleep(until: MonotonicClock.now() + pause)
            pause = min(pause * 3 / 2, Self.lastPause)
        }
        return "its program did not listen there within \(Self.startingLimit.components.seconds) s"
    }

    /// How long a program may take until it listens.
    private static let startingLimit = Duration.seconds(20)
    /// How long until one looks again: ever longer, for a look has the port for some microseconds, in which the program cannot have it.
    private static let firstPause = Duration.milliseconds(5)
    private static let lastPause = Duration.milliseconds(100)

    /// Ends all programs, and returns when that is done: they go with the loop's state.
    func end() {
        thread.set(nil)
        _ = try? loop.stop()
    }
}
