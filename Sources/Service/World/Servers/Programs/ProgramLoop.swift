import Evidence
import LinuxNet
import Sandbox
import Synchronization
import Topology
import Wire

/// What the programs' thread has in hand.
///
/// Theory of operation. A connection takes a slot among those of all services, or is closed. Then its program starts, if there may
/// be another one; or it starts in the place of the oldest program of the client that has most of them, if that has more than this
/// connection's client; or the connection waits until a program has ended.
struct ProgramLoop: LoopState, ~Copyable {
    private let interests: InterestList
    private let listeners: [(listener: ProgramListener, service: ServiceEnd)]
    private let connections: ServedConnections
    private let thread: ProgramThread
    private var running: [UInt64: Running] = [:]
    private var waiting: [Waiting] = []
    private var shares = ClientShares<ServedClient>(limit: ProgramServers.limit)
    private var nextToken: UInt64

    /// A dictionary holds no values of its kind.
    private final class Running {
        var program: ServerProgram
        let slot: Slot

        init(_ program: consuming ServerProgram, _ slot: Slot) {
            self.program = program
            self.slot = slot
        }
    }

    private final class Waiting {
        let socket: StreamSocket
        let slot: Slot

        init(_ socket: consuming StreamSocket, _ slot: Slot) {
            self.socket = socket
            self.slot = slot
        }
    }

    /// A connection's among those of all services.
    private struct Slot {
        let number: UInt64
        let token: UInt64
        let client: ServedClient
        let listener: Int
    }

    init(
        _ listeners: [(listener: ProgramListener, service: ServiceEnd)], _ connections: ServedConnections,
        _ thread: ProgramThread, _ interests: InterestList
    ) throws(SystemError) {
        // Token n is listener n; programs have those behind.
        for (index, entry) in listeners.enumerated() {
            try interests.add(entry.listener.socket.descriptor, .readable, token: UInt64(index))
        }
        self.interests = interests
        self.listeners = listeners
        self.connections = connections
        self.thread = thread
        nextToken = UInt64(listeners.count)
    }

    mutating func handle(_ event: Epoll.Event) {
        if event.token < UInt64(listeners.count) {
            accept(Int(event.token))
        } else if running[event.token]?.program.poll() != nil {
            end(event.token)
        }
    }

    private mutating func accept(_ listener: Int) {
        guard case .connection(let socket, let peer?) = listeners[listener].listener.socket.accept() else { return }
        let token = nextToken
        nextToken += 1
        let number = connections.admit(peer.host, to: listeners[listener].service) { [thread] in
            thread.tell { $0.end(token) }
        }
        guard let number else { return }
        let slot = Slot(number: number, token: token, client: ServedClient(peer.host), listener: listener)
        serve(Waiting(socket, slot))
    }

    private mutating func serve(_ connection: Waiting) {
        let slot = connection.slot
        switch shares.take(slot.token, for: slot.client) {
        case .admitted: start(connection)
        case .replacing(let other):
            if let taken = running[other]?.slot {
                connections.note(.connectionTaken, taken.client, listeners[taken.listener].service)
            }
            remove(other)
            start(connection)
        case .refused: waiting.append(connection)
        }
    }

    private mutating func start(_ connection: Waiting) {
        let slot = connection.slot
        let listener = listeners[slot.listener].listener
        // A program that cannot be started leaves a connection that is closed at once.
        guard let program = try? listener.start(serving: connection.socket),
            (try? interests.add(program.descriptor, .readable, token: slot.token)) != nil
        else { return remove(slot) }
        running[slot.token] = Running(program, slot)
    }

    /// Ends a program, or the waiting for one.
    mutating func end(_ token: UInt64) {
        if let index = waiting.firstIndex(where: { $0.slot.token == token }) {
            remove(waiting.remove(at: index).slot)
        } else {
            remove(token)
        }
        startWaiting()
    }

    private mutating func remove(_ token: UInt64) {
        // With the value goes what the program has left behind.
        if let slot = running.removeValue(forKey: token)?.slot { remove(slot) }
    }

    private mutating func remove(_ slot: Slot) {
        shares.release(slot.token)
        connections.release(slot.number)
    }

    /// Of those that wait, the first of the client that has the fewest programs.
    private mutating func startWaiting() {
        while shares.count < shares.limit {
            let next = waiting.indices.min {
                shares.count(of: waiting[$0].slot.client) < shares.count(of: waiting[$1].slot.client)
            }
            guard let next else { return }
            serve(waiting.remove(at: next))
        }
    }
}

/// The thread of the programs, for others that have something to tell it once it is there.
final class ProgramThread: Sendable {
    private let loop = Mutex<LoopThread<ProgramLoop>?>(nil)

    func set(_ thread: LoopThread<ProgramLoop>?) { loop.withLock { $0 = thread } }

    func tell(_ item: @escaping @Sendable (inout ProgramLoop) -> Void) {
        _ = loop.withLock { $0 }?.tell(item)
    }
}
