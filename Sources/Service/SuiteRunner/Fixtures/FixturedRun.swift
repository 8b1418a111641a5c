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

/// The fixtures of one run: the servers of both sides, and the probes of a server under test.
///
/// Theory of operation. The keeper starts the client's fixture process. When the world is ready, the servers of the far side start, and the
/// client begins when they are ready. From then on a thread reads the messages of the client's fixture process; if there is a server under
/// test, the thread probes it, and tells the fixture process to end.
final class FixturedRun: Sendable {
    private let order: RunOrder
    private let environment: [OSString]
    private let clientFixtures: FixtureConnection?
    private let state = Mutex(State())

    private struct State: Sendable {
        var worldFixtures: FixtureConnection?
        var failure: FixtureFailure?
        var end: (ExitOutcome, Duration)?
        var server = ServerEvidence()
    }

    /// `nil` if the order has only a client.
    init?(_ order: RunOrder, environment: [OSString]) throws(SystemError) {
        guard order.worldFixtures != nil || order.clientFixtures != nil else { return nil }
        self.order = order
        self.environment = environment
        if let fixture = order.clientFixtures {
            clientFixtures = try FixtureConnection(forClient: fixture)
        } else {
            clientFixtures = nil
        }
    }

    /// The argument vector of the process that the keeper starts: the fixture process, otherwise the client.
    var command: [String] { clientFixtures?.command ?? order.command }
    /// Descriptors that the fixture process inherits.
    var descriptors: [Int32] { clientFixtures?.descriptors ?? [] }

    /// The limit of the run; the fixture process has another one for the client.
    var timeout: Duration { order.timeout + (order.clientFixtures.map { $0.overhead + order.grace } ?? .zero) }

    /// The index in `programs` of the client's first program: the last one that the fixture process started. A server under test is started
    /// by a shell: the program that the shell's process then executed. Without a fixture process, the first program.
    func client(among programs: [TracedProgram]) -> Int? {
        guard clientFixtures != nil else { return programs.indices.first }
        func isFixture(_ program: TracedProgram) -> Bool {
            program.arguments.dropFirst().first == FixtureProcess.argument
        }
        let started = programs.lastIndex { program in
            !isFixture(program) && program.parent.map { isFixture(programs[$0]) } ?? false
        }
        guard order.isServerTest, let started else { return started }
        return programs.firstIndex { $0.parent == started && $0.process == programs[started].process }
    }

    // MARK: - While it runs

    /// Starts the servers of the far side, and waits until they are ready.
    func begin(in world: World) throws(CheckFailure) -> WorkerThread? {
        clientFixtures?.closeInheritedEnd()
        try startWorldServers()
        guard let clientFixtures else { return nil }
        do throws(SystemError) {
            return try WorkerThread.start(name: "fixture") { self.follow(clientFixtures, in: world) }
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }

    private func startWorldServers() throws(CheckFailure) {
        guard let fixture = order.worldFixtures else { return }
        let news: FixtureNews?
        do throws(SystemError) {
            let null = try Descriptor.open("/dev/null", flags: O_RDWR)
            let connection = try FixtureConnection(inWorld: fixture, environment: environment, output: null)
            state.withLock { $0.worldFixtures = connection }
            news = connection.next()
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        switch news {
        case .ready: return
        case .failed(let failure):
            state.withLock { $0.failure = failure }
            throw CheckFailure("the server \(failure.server) \(failure.reason)", .usage)
        case .ended, nil: throw CheckFailure("the fixture of the servers ended unexpectedly", .machineCannot)
        }
    }

    // MARK: - The end

    /// Ends the servers of the far side, and returns the result of the fixtures.
    /// - Parameter evidence: gets the client's end and duration as the fixture process reported them; for a server under test it is marked
    ///   as probed.
    func finish(_ evidence: inout RunEvidence) -> FixtureResult {
        let (world, end, failure, server) = state.withLock { ($0.worldFixtures, $0.end, $0.failure, $0.server) }
        var lost = failure
        if let world {
            // If a server has ended after it was ready, the fixture process has sent a message.
            if lost == nil, case .failed(let failure) = world.next(until: MonotonicClock.now()) {
                lost = failure
            }
            world.tellToEnd()
            let deadline = MonotonicClock.now() + .seconds(5)
            while world.next(until: deadline) != nil {}
        }
        if let (end, duration) = end {
            evidence.end = end
            evidence.duration = duration
        }
        guard order.isServerTest else { return FixtureResult(failure: lost, server: nil) }
        evidence.isProbed = true
        evidence.peerAnswers = server.probes.compactMap(\.peerAnswer)
        var seen = server
        // A server under test that is not there is a mistake of the file, and no verdict on it.
        if let failure = lost, failure.server == order.clientFixtures?.servers.last?.name, !failure.isMissing {
            seen.failure = failure.reason
            lost = nil
        }
        // The probes decide. The server ended because the fixture process was told to end, so its exit status does not count.
        if seen.failure == nil, case .exited = evidence.end { evidence.end = .exited(status: 0) }
        return FixtureResult(failure: lost, server: seen)
    }

    struct FixtureResult {
        var failure: FixtureFailure?
        /// Present for a server under test.
        var server: ServerEvidence?
    }

    // MARK: - The thread

    /// Time from the end of a crashing server's connections to its own.
    private static let crashTime = Duration.milliseconds(300)

    private func follow(_ fixture: FixtureConnection, in world: World) {
        while let news = fixture.next() {
            switch news {
            case .ready(let listeners):
                guard order.isServerTest else { continue }
                state.withLock { $0.server.listeners = listeners }
                // The next message is that of its end.
                let prober = Prober(order, world, environment: environment) {
                    waitForInput(fixture.descriptor, until: MonotonicClock.now())
                }
                let answers = prober.run()
                state.withLock { $0.server.probes = answers }
                // A server that crashes closes its connection before it has ended.
                if !answers.allSatisfy(\.isAsExpected) {
                    _ = waitForInput(fixture.descriptor, until: MonotonicClock.now() + Self.crashTime)
                }
                fixture.tellToEnd()
            case .failed(let failure): state.withLock { $0.failure = $0.failure ?? failure }
            case .ended(let end, let duration): state.withLock { $0.end = (end, duration) }
            }
        }
    }
}
