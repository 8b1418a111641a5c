// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import LinuxNet
import Sandbox
import Synchronization
import Topology
import Wire

/// The state of the programs' thread.
///
/// Theory of operation. A connection takes a slot among those of all services, or is closed. Then its program starts, if the
/// limit allows another one. Otherwise, if the client with the most programs has more than this connection's client, its oldest
/// program is ended to make room. Otherwise the connection waits until a program ends.
///
/// A program for a socket is started by a datagram, and takes over the socket until it ends. A program that runs for the whole
/// run is started at the beginning. Neither kind is counted, as there is at most one for each of the world's services.
struct ProgramLoop: LoopState, ~Copyable {
    private let interests: InterestList
    private let listeners: [ProgramListener]
    private let starter: ProgramStarter
    private let connections: ServedConnections
    private let thread: ProgramThread
    private var running: [UInt64: Running] = [:]
    private var waiting: [ProgramConnection] = []
    private var shares = ClientShares<ServedClient>(limit: ProgramServers.limit)
    private var nextToken: UInt64
    private var now = MonotonicClock.now()
    /// Sockets whose program has just ended, and the time from which a datagram starts the next one.
    private var resting: [(listener: Int, end: Instant)] = []

    /// Minimum time between two starts of a program for a socket: one that reads nothing would be started for the same datagram
    /// again and again.
    private static let restTime = Duration.seconds(1)

    /// A class, as a dictionary cannot hold a noncopyable value.
    private final class Running {
        var program: ServerProgram
        let work: Work

        init(_ program: consuming ServerProgram, _ work: Work) {
            self.program = program
            self.work = work
        }
    }

    /// The purpose of a program.
    private enum Work {
        case connection(ProgramConnection.Slot)
        /// The datagrams of a socket; with the time of the program's start.
        case socket(listener: Int, start: Instant)
        /// A port, for the whole run.
        case standing(ServiceEnd, PortProbe.Transport)
    }

    init(
        _ listeners: [ProgramListener], _ standing: [StandingProgram], _ starter: ProgramStarter,
        _ connections: ServedConnections, _ thread: ProgramThread, _ interests: InterestList
    ) throws(SystemError) {
        self.interests = interests
        self.listeners = listeners
        self.starter = starter
        self.connections = connections
        self.thread = thread
        // Token n is stream n; programs have the tokens after them.
        nextToken = UInt64(listeners.count)
        for (index, listener) in listeners.enumerated() {
            try interests.add(listener.descriptor, .readable, token: UInt64(index))
        }
        for program in standing {
            try start(program)
        }
    }

    // MARK: Programs for the whole run

    mutating func start(_ program: StandingProgram) throws(SystemError) {
        let file: Descriptor? = if let octets = program.certificate { try MemoryFile.make(octets) } else { nil }
        let started = try starter.start(program.request, with: file.number)
        try keep(started, for: .standing(program.service, program.transport), makeToken())
    }

    /// Ends such a program, before it is started again.
    mutating func end(_ program: StandingProgram) {
        for (token, value) in running {
            if case .standing(program.service, _) = value.work { running[token] = nil }
        }
        thread.forgetEnd(of: program.service)
    }

    private mutating func makeToken() -> UInt64 {
        defer { nextToken += 1 }
        return nextToken
    }

    // MARK: Rounds

    var nextDeadline: Instant? { resting.map(\.end).min() }

    mutating func begin(at now: Instant) { self.now = now }

    mutating func handle(_ event: Epoll.Event) {
        if event.token < UInt64(listeners.count) {
            open(Int(event.token))
        } else if let ending = running[event.token]?.program.poll() {
            if case .standing(let service, _)? = running[event.token]?.work { thread.noteEnd(of: service, ending) }
            end(event.token)
        }
    }

    mutating func advance() {
        for rest in resting where rest.end <= now {
            // Cannot fail for its descriptor, which was watched before.
            try? interests.add(listeners[rest.listener].descriptor, .readable, token: UInt64(rest.listener))
        }
        resting.removeAll { $0.end <= now }
    }

    private mutating func open(_ index: Int) {
        switch listeners[index].socket {
        case .stream(let stream): accept(stream, listeners[index])
        case .datagram(let socket):
            let request = ProgramRequest(listeners[index].number, local: socket.localAddress)
            // From now on the program receives the datagrams.
            try? interests.remove(socket.descriptor)
            let work = Work.socket(listener: index, start: now)
            guard let program = try? starter.start(request, with: socket.descriptor),
                (try? keep(program, for: work, makeToken())) != nil
            else { return release(work) }
        }
    }

    private mutating func accept(_ stream: borrowing StreamListener, _ listener: ProgramListener) {
        guard case .connection(let socket, let peer?) = stream.accept() else { return }
        let request = ProgramRequest(listener.number, local: socket.localAddress, peer: peer)
        guard let slot = admit(peer, to: listener.service) else { return }
        serve(ProgramConnection(socket.release(), request, slot))
    }

    // MARK: Connections

    private mutating func admit(
        _ peer: SocketAddress, to service: ServiceEnd, calledBy call: SharedDescriptor? = nil
    ) -> ProgramConnection.Slot? {
        let token = makeToken()
        let origin = connections.proxied.client(at: Endpoint(peer.host, port: peer.port)) ?? peer.host
        let number = connections.admit(origin, to: service) { [thread] in thread.tell { $0.end(token) } }
        return number.map {
            ProgramConnection.Slot(
                number: $0, token: token, client: ServedClient(origin), service: service, call: call)
        }
    }

    /// Serves a connection that another thread has accepted. The program's part of it counts as one more connection of the client.
    mutating func take(_ call: SharedDescriptor, _ request: ProgramRequest, _ service: ServiceEnd) {
        guard let peer = request.peer, let file = call.take(),
            let slot = admit(peer, to: service, calledBy: call)
        else { return }
        serve(ProgramConnection(file, request, slot))
    }

    /// Drops a waiting connection whose client has gone. A running program notices that by its connection.
    mutating func giveUp(_ call: SharedDescriptor) {
        if let index = waiting.firstIndex(where: { $0.slot.call === call }) {
            release(.connection(waiting.remove(at: index).slot))
        }
    }

    private mutating func serve(_ connection: ProgramConnection) {
        let slot = connection.slot
        switch shares.take(slot.token, for: slot.client) {
        case .admitted: start(connection)
        case .replacing(let other):
            if case .connection(let taken)? = running[other]?.work {
                connections.note(.connectionTaken, taken.client, taken.service)
            }
            remove(other)
            start(connection)
        case .refused: waiting.append(connection)
        }
    }

    private mutating func start(_ connection: ProgramConnection) {
        // If the program cannot be started, the connection is closed at once.
        guard let program = try? starter.start(connection.request, with: connection.file.number),
            (try? keep(program, for: .connection(connection.slot), connection.slot.token)) != nil
        else { return release(.connection(connection.slot)) }
    }

    private mutating func keep(
        _ program: consuming ServerProgram, for work: Work, _ token: UInt64
    ) throws(SystemError) {
        try interests.add(program.descriptor, .readable, token: token)
        running[token] = Running(program, work)
    }

    // MARK: Ends

    /// Ends a program, or removes a connection that waits for one.
    mutating func end(_ token: UInt64) {
        if let index = waiting.firstIndex(where: { $0.slot.token == token }) {
            release(.connection(waiting.remove(at: index).slot))
        } else {
            remove(token)
        }
        startWaiting()
    }

    private mutating func remove(_ token: UInt64) {
        // Destroying the value also ends all processes that the program has started.
        if let work = running.removeValue(forKey: token)?.work { release(work) }
    }

    private mutating func release(_ work: Work) {
        switch work {
        case .connection(let slot):
            shares.release(slot.token)
            connections.release(slot.number)
        case .socket(let listener, let start): resting.append((listener, max(now, start + Self.restTime)))
        case .standing(let service, let transport):
            connections.noteEnd(of: service, transport == .stream ? .tcp : .udp, because: .programEnded)
        }
    }

    /// Serves waiting connections while the limit allows it: next is the first one of the client with the fewest programs.
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

/// A connection to be served by a program.
private final class ProgramConnection {
    let file: Descriptor
    let request: ProgramRequest
    let slot: Slot

    struct Slot {
        /// The connection's number in `ServedConnections`.
        let number: UInt64
        let token: UInt64
        let client: ServedClient
        let service: ServiceEnd
        /// The descriptor that another thread handed over, if any.
        let call: SharedDescriptor?
    }

    init(_ file: consuming Descriptor, _ request: ProgramRequest, _ slot: Slot) {
        self.file = file
        self.request = request
        self.slot = slot
    }
}

/// The programs' thread, for other threads that send it work once it exists.
final class ProgramThread: Sendable {
    private let loop = Mutex<LoopThread<ProgramLoop>?>(nil)
    private let endings = Mutex<[ServiceEnd: ExitReport]>([:])

    func set(_ thread: LoopThread<ProgramLoop>?) { loop.withLock { $0 = thread } }

    func tell(_ item: @escaping @Sendable (inout ProgramLoop) -> Void) {
        _ = loop.withLock { $0 }?.tell(item)
    }

    func noteEnd(of service: ServiceEnd, _ ending: ExitReport) { endings.withLock { $0[service] = ending } }

    func forgetEnd(of service: ServiceEnd) { endings.withLock { $0[service] = nil } }

    /// The end of the program that serves `service` for the whole run; `nil` if it runs.
    func ending(of service: ServiceEnd) -> ExitReport? { endings.withLock { $0[service] } }
}
