import LinuxNet

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

    /// Ends all programs, and returns when that is done: they go with the loop's state.
    func end() {
        thread.set(nil)
        _ = try? loop.stop()
    }
}
