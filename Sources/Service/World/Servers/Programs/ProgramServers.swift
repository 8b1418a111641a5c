// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Sandbox
import Text
import Wire

/// The services of a world that are programs of this machine: one thread accepts for all of them, and starts programs.
///
/// At most `limit` programs for connections run at a time. Further connections wait, in an order that keeps no client waiting
/// for another's (`ProgramLoop`). Stopping the servers ends all programs and the processes that they have started.
final class ProgramServers: Sendable {
    /// Maximum programs for connections at a time, of all services together.
    static let limit = 64

    private let loop: LoopThread<ProgramLoop>
    /// The services that are programs, by their numbers.
    private let programs: [World.Service]
    private let standing: [StandingProgram]
    private let starter: ProgramStarter
    private let thread: ProgramThread
    private let now: @Sendable () -> Instant

    /// Starts to serve, and starts the programs for the whole run.
    /// - Parameters:
    ///   - connections: shared with the other services.
    ///   - thread: receives connections that other threads have accepted.
    ///   - now: the clock for readiness deadlines.
    private init(
        _ programs: [World.Service], _ listeners: [ProgramListener], _ standing: [StandingProgram],
        _ starter: ProgramStarter,
        _ connections: ServedConnections, _ thread: ProgramThread, now: @escaping @Sendable () -> Instant
    ) throws(SystemError) {
        self.programs = programs
        self.standing = standing
        self.starter = starter
        self.thread = thread
        self.now = now
        let interests = try InterestList()
        loop = try LoopThread(
            name: "programs", try ProgramLoop(listeners, standing, starter, connections, thread, interests),
            on: interests)
        thread.set(loop)
        try loop.start()
    }

    /// Starts to accept on behalf of all programs, and waits for those that listen themselves; `nil` if the world has no programs.
    static func start(
        _ listeners: WorldListeners, of world: World, _ starter: ProgramStarter, _ connections: ServedConnections,
        _ thread: ProgramThread, now: @escaping @Sendable () -> Instant
    ) throws(ServiceStartError) -> ProgramServers? {
        let programs = world.services.filter(\.kind.startsPrograms)
        guard let first = programs.first else { return nil }
        let servers: ProgramServers
        do throws(SystemError) {
            servers = try ProgramServers(
                programs, listeners.programs, listeners.standing, starter, connections, thread, now: now)
        } catch {
            throw ServiceStartError(service: first, reason: "\(error)")
        }
        do throws(ServiceStartError) {
            try servers.awaitReadiness(of: listeners.standing)
        } catch {
            servers.end()
            throw error
        }
        return servers
    }

    private func awaitReadiness(of programs: [StandingProgram]) throws(ServiceStartError) {
        let start = now()
        for program in programs {
            if let reason = obstacle(to: program, until: start + program.within) {
                throw failure(of: program.number, reason + starter.output(of: program.request))
            }
        }
    }

    private func failure(of number: Int, _ reason: String) -> ServiceStartError {
        ServiceStartError(service: programs[number], reason: reason)
    }

    /// Renews the programs whose folder is for a single run.
    func renew() throws(ServiceStartError) {
        var renewed: [StandingProgram] = []
        for (number, service) in programs.enumerated() {
            guard let program = service.kind.program, program.stateLife == .run else { continue }
            let own = standing.first { $0.number == number }
            do {
                if let own { try loop.ask { $0.end(own) } }
                let request = ProgramRequest(number, local: SocketAddress(service.address, port: service.port))
                let limit = ServerProgram.endingLimit(grace: program.grace) + program.within + Self.renewalLimit
                if let reason = try starter.renew(request, within: limit) { throw failure(of: number, reason) }
                guard let own else { continue }
                let error = try loop.ask { loop -> SystemError? in
                    do throws(SystemError) { try loop.start(own) } catch { return error }
                    return nil
                }
                if let error { throw error }
                renewed.append(own)
            } catch let error as ServiceStartError {
                throw error
            } catch {
                throw failure(of: number, "\(error)")
            }
        }
        try awaitReadiness(of: renewed)
    }

    /// Maximum time of a renewal, besides its steps.
    private static let renewalLimit = Duration.seconds(5)

    /// Waits until a program listens and is ready. Returns the reason of a failure.
    private func obstacle(to program: StandingProgram, until end: Instant) -> String? {
        var pause = Self.firstPause
        while true {
            // The last check begins after the deadline, so a slow check cannot fail a program that is ready in time.
            let isLast = end <= now()
            let missing: String?
            do throws(SystemError) {
                missing =
                    try PortProbe.isTaken(program.address, program.transport)
                    ? try starter.missing(of: program.request) : "it does not listen there"
            } catch {
                return "\(error)"
            }
            // A program that has ended is not ready any more, even if its conditions hold.
            if let ending = thread.ending(of: program.service) {
                return "its program ended before it was ready (\(ending.words))"
            }
            guard let missing else { return nil }
            if isLast {
                return "its program was not ready after \(program.within.inSeconds): \(missing)"
            }
            sleep(until: MonotonicClock.now() + min(pause, max(.zero, end - now())))
            pause = min(pause * 3 / 2, Self.lastPause)
        }
    }

    /// Interval between two checks. It grows, as a check holds the port for some microseconds, in which the program cannot bind it.
    private static let firstPause = Duration.milliseconds(5)
    private static let lastPause = Duration.milliseconds(100)

    /// Ends all programs and waits until they have ended: the loop's state, which is destroyed, owns them.
    func end() {
        thread.set(nil)
        _ = try? loop.stop()
    }
}
