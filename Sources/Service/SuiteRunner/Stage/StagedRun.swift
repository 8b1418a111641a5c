// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import ConfigurationText
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Suites
import Synchronization
import Topology
import Wire

/// What goes on beside a client in its run process: the servers of both sides, and the probes of a listener under test.
///
/// Theory of operation. The client's stage is what the keeper starts. When the world stands, the servers of the far side start, and
/// the client begins when they are ready. From then on a thread listens to the client's stage; where a listener is under test, it
/// probes that, and tells the stage to end.
final class StagedRun: Sendable {
    private let order: RunOrder
    private let environment: [OSString]
    private let clientStage: StageConnection?
    private let state = Mutex(State())

    private struct State: Sendable {
        var worldStage: StageConnection?
        var failure: StageFailure?
        var end: (ClientEnd, Duration)?
        var server = ServerEvidence()
    }

    struct StageFailure: Sendable {
        /// Empty for the client.
        var server: String
        var reason: String
    }

    /// `nil` if the order has a client alone.
    init?(_ order: RunOrder, environment: [OSString]) throws(SystemError) {
        guard order.worldStage != nil || order.clientStage != nil else { return nil }
        self.order = order
        self.environment = environment
        if let stage = order.clientStage {
            clientStage = try StageConnection(forClient: stage)
        } else {
            clientStage = nil
        }
    }

    var command: [String] { clientStage?.command ?? order.command }
    var descriptors: [Int32] { clientStage?.descriptors ?? [] }

    /// The run's own limit; the stage has one for the client.
    var timeout: Duration { order.timeout + (order.clientStage.map { $0.overhead + order.grace } ?? .zero) }

    /// Where the client's first program is among those of a run: the last that the stage started, and of a listener under test
    /// what its shell has become.
    func client(among programs: [TracedProgram]) -> Int? {
        guard clientStage != nil else { return programs.indices.first }
        func isStage(_ program: TracedProgram) -> Bool { program.arguments.dropFirst().first == StageProcess.argument }
        let started = programs.lastIndex { program in
            !isStage(program) && program.parent.map { isStage(programs[$0]) } ?? false
        }
        guard order.isServerTest, let started else { return started }
        return programs.firstIndex { $0.parent == started && $0.process == programs[started].process }
    }

    // MARK: - While it runs

    /// Starts the servers of the far side, and waits until they are ready.
    func begin(in world: World) throws(CheckFailure) -> WorkerThread? {
        clientStage?.closeInheritedEnd()
        try startWorldServers()
        guard let clientStage else { return nil }
        do throws(SystemError) {
            return try WorkerThread.start(name: "stage") { self.follow(clientStage, in: world) }
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }

    private func startWorldServers() throws(CheckFailure) {
        guard let stage = order.worldStage else { return }
        let news: StageNews?
        do throws(SystemError) {
            let null = try Descriptor.open("/dev/null", flags: O_RDWR)
            let connection = try StageConnection(inWorld: stage, environment: environment, output: null)
            state.withLock { $0.worldStage = connection }
            news = connection.next()
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        switch news {
        case .ready: return
        case .failed(let server, let reason):
            state.withLock { $0.failure = StageFailure(server: server, reason: reason) }
            throw CheckFailure("the server \(server) \(reason)", .usage)
        case .ended, nil: throw CheckFailure("the stage of the servers ended unexpectedly", .machineCannot)
        }
    }

    // MARK: - The end

    /// Ends the servers of the far side, and says what came of it all.
    func finish(_ evidence: inout RunEvidence) -> StageResult {
        let (world, end, failure, server) = state.withLock { ($0.worldStage, $0.end, $0.failure, $0.server) }
        var lost = failure
        if let world {
            // One that has ended since has said so.
            if lost == nil, case .failed(let server, let reason) = world.next(until: MonotonicClock.now()) {
                lost = StageFailure(server: server, reason: reason)
            }
            world.tellToEnd()
            let deadline = MonotonicClock.now() + .seconds(5)
            while world.next(until: deadline) != nil {}
        }
        if let (end, duration) = end {
            evidence.end = end
            evidence.duration = duration
        }
        guard order.isServerTest else { return StageResult(failure: lost, server: nil) }
        evidence.isProbed = true
        var seen = server
        if let failure = lost, failure.server == order.clientStage?.servers.last?.name {
            seen.failure = failure.reason
            lost = nil
        }
        // The listener was ended by us, and what it did is told by the probes.
        if seen.failure == nil, case .exited = evidence.end { evidence.end = .exited(status: 0) }
        return StageResult(failure: lost, server: seen)
    }

    struct StageResult {
        var failure: StageFailure?
        /// Of a listener under test.
        var server: ServerEvidence?
    }

    // MARK: - The thread

    private func follow(_ stage: StageConnection, in world: World) {
        while let news = stage.next() {
            switch news {
            case .ready(let listeners):
                guard order.isServerTest else { continue }
                state.withLock { $0.server.listeners = listeners }
                let answers = Prober(order, world, environment: environment).run()
                state.withLock { $0.server.probes = answers }
                stage.tellToEnd()
            case .failed(let server, let reason):
                state.withLock { state in
                    state.failure = state.failure ?? StageFailure(server: server, reason: reason)
                }
            case .ended(let end, let duration): state.withLock { $0.end = (end, duration) }
            }
        }
    }
}
