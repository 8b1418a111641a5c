import LinuxNet
import Sandbox
import Synchronization
import Wire

/// The services of a world that are programs of this machine: one thread accepts for all of them, and starts a program for
/// each connection.
///
/// At most `limit` programs run at a time; further connections wait in the kernel. When the servers stop, all programs and
/// what they have started are ended.
final class ProgramServers: Sendable {
    /// Programs at a time, of all services together.
    static let limit = 64

    private let stop: Stop
    private let thread: Mutex<WorkerThread?>

    private final class Stop: Sendable {
        let bell: EventSignal

        init() throws(SystemError) {
            bell = try EventSignal()
        }
    }

    /// Serves from when this returns.
    init(_ listeners: [ProgramListener]) throws(SystemError) {
        let stop = try Stop()
        let epoll = try Epoll()
        try epoll.add(stop.bell.descriptor, .readable, token: ProgramLoop.stopToken)
        let handover = Mutex<ProgramLoop?>(try ProgramLoop(listeners, epoll: epoll))
        self.stop = stop
        thread = Mutex(
            try WorkerThread.start(name: "programs") {
                guard var loop = handover.withLock({ $0.take() }) else { return }
                while !stop.bell.hear() { loop.turn() }
            })
    }

    /// Ends all programs, and returns when that is done.
    func end() {
        stop.bell.ring()
        thread.withLock { $0.take() }?.join()
    }
}

/// What the thread has in hand.
private struct ProgramLoop: ~Copyable {
    static let stopToken: UInt64 = 0

    private var epoll: Epoll
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

    init(_ listeners: [ProgramListener], epoll: consuming Epoll) throws(SystemError) {
        // Token n is listener n - 1; programs have those behind.
        for (index, listener) in listeners.enumerated() {
            try epoll.add(listener.socket.descriptor, .readable, token: UInt64(index) + 1)
        }
        self.epoll = epoll
        self.listeners = listeners
        nextToken = UInt64(listeners.count) + 1
    }

    /// Waits for something to happen, and deals with it.
    mutating func turn() {
        let count = epoll.wait()
        for index in 0..<count {
            let token = epoll[index].token
            if token == Self.stopToken { continue }
            if token <= UInt64(listeners.count) {
                accept(listeners[Int(token) - 1])
            } else if running[token]?.program.poll() != nil {
                // With the value goes what the program has left behind.
                running[token] = nil
            }
        }
        setAccepting(running.count < ProgramServers.limit)
    }

    private mutating func accept(_ listener: ProgramListener) {
        guard running.count < ProgramServers.limit else { return }
        guard case .connection(let connection, let peer) = listener.socket.accept() else { return }
        // A program that cannot be started leaves a connection that is closed at once.
        guard let program = try? listener.start(serving: connection, from: peer) else { return }
        let token = nextToken
        guard (try? epoll.add(program.descriptor, .readable, token: token)) != nil else { return }
        nextToken += 1
        running[token] = Running(program)
    }

    /// Watches the listening sockets, or leaves the connections in the kernel.
    private mutating func setAccepting(_ wanted: Bool) {
        if wanted == isAccepting { return }
        isAccepting = wanted
        for (index, listener) in listeners.enumerated() {
            try? epoll.modify(listener.socket.descriptor, wanted ? .readable : [], token: UInt64(index) + 1)
        }
    }
}
