import LinuxNet
import Sandbox
import Wire

/// The services of a world that are programs of this machine: one thread accepts for all of them, and starts a program for
/// each connection.
///
/// At most `limit` programs run at a time; further connections wait in the kernel. When the servers stop, all programs and
/// what they have started are ended.
final class ProgramServers: Sendable {
    /// Programs at a time, of all services together.
    static let limit = 64

    private let loop: LoopThread<ProgramLoop>

    /// Serves from when this returns.
    init(_ listeners: [ProgramListener]) throws(SystemError) {
        let interests = try InterestList()
        loop = try LoopThread(name: "programs", try ProgramLoop(listeners, interests), on: interests)
        try loop.start()
    }

    /// Ends all programs, and returns when that is done: they go with the loop's state.
    func end() { _ = try? loop.stop() }
}

/// What the thread has in hand.
private struct ProgramLoop: LoopState, ~Copyable {
    private let interests: InterestList
    private let listeners: [ProgramListener]
    private var running: [UInt64: Running] = [:]
    private var nextToken: UInt64
    private var isAccepting = true

    /// A dictionary holds no values of its kind.
    private final class Running {
        var program: ServerProgram

        init(_ program: consuming ServerProgram) {
            self.program = program
        }
    }

    init(_ listeners: [ProgramListener], _ interests: InterestList) throws(SystemError) {
        // Token n is listener n; programs have those behind.
        for (index, listener) in listeners.enumerated() {
            try interests.add(listener.socket.descriptor, .readable, token: UInt64(index))
        }
        self.interests = interests
        self.listeners = listeners
        nextToken = UInt64(listeners.count)
    }

    mutating func handle(_ event: Epoll.Event) {
        if event.token < UInt64(listeners.count) {
            accept(listeners[Int(event.token)])
        } else if running[event.token]?.program.poll() != nil {
            // With the value goes what the program has left behind.
            running[event.token] = nil
        }
    }

    mutating func advance() { setAccepting(running.count < ProgramServers.limit) }

    private mutating func accept(_ listener: ProgramListener) {
        guard running.count < ProgramServers.limit else { return }
        guard case .connection(let connection, let peer) = listener.socket.accept() else { return }
        // A program that cannot be started leaves a connection that is closed at once.
        guard let program = try? listener.start(serving: connection, from: peer) else { return }
        let token = nextToken
        guard (try? interests.add(program.descriptor, .readable, token: token)) != nil else { return }
        nextToken += 1
        running[token] = Running(program)
    }

    /// Watches the listening sockets, or leaves the connections in the kernel.
    private mutating func setAccepting(_ wanted: Bool) {
        if wanted == isAccepting { return }
        isAccepting = wanted
        for (index, listener) in listeners.enumerated() {
            try? interests.modify(listener.socket.descriptor, wanted ? .readable : [], token: UInt64(index))
        }
    }
}
