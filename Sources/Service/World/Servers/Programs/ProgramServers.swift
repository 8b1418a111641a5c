import LinuxNet

/// The services of a world that are programs of this machine: one thread accepts for all of them, and starts a program for
/// each connection.
///
/// At most `limit` programs run at a time; further connections wait, so that no client's keep another's waiting (`ProgramLoop`).
/// When the servers stop, all programs and what they have started are ended.
final class ProgramServers: Sendable {
    /// Programs at a time, of all services together.
    static let limit = 64

    private let loop: LoopThread<ProgramLoop>
    private let thread = ProgramThread()

    /// Serves from when this returns.
    /// - Parameter connections: what the programs' connections share with those of the other services.
    init(
        _ listeners: [(listener: ProgramListener, service: ServiceEnd)], _ connections: ServedConnections
    ) throws(SystemError) {
        let interests = try InterestList()
        loop = try LoopThread(
            name: "programs", try ProgramLoop(listeners, connections, thread, interests), on: interests)
        thread.set(loop)
        try loop.start()
    }

    /// Ends all programs, and returns when that is done: they go with the loop's state.
    func end() {
        thread.set(nil)
        _ = try? loop.stop()
    }
}
