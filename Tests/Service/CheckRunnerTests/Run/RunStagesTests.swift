// SPDX-License-Identifier: Apache-2.0
import Evidence
import Glibc
import LinuxNet
import Topology
import Wire
import Testing

@testable import CheckRunner
@testable import Sandbox

@Suite struct `The stages of a run` {
    private let log = Log()
    private let watch: SubstituteWatch
    private let place = ReservedSlot(
        network: ClientNetwork(mtu: 1400), links: LinkConditions(), resolvers: [], prefixes: ["64:ff9b::/96"],
        authority: nil)

    init() { watch = SubstituteWatch(log) }

    private func launched(
        _ client: consuming SubstituteClient, _ reservation: consuming SubstituteReservation
    ) throws -> LaunchedClient {
        LaunchedClient(
            GuardedClient(client, watch: watch), at: place, reservation, try .ofTest(watch: watch),
            PreparationLimit(watch, programs: .seconds(30)))
    }

    private func connected(
        _ client: consuming SubstituteClient, on connection: consuming SubstituteConnection,
        _ request: RunRequest = RunRequest(schedule: .nat64)
    ) throws -> ConnectedClient {
        let context = try RunContext.ofTest(watch: watch, request: request)
        let client = GuardedClient(client, watch: watch)
        let observers = try ClientObservers(client, context)
        return ConnectedClient(
            client, on: connection, at: place, since: MonotonicClock.now(), observers, context,
            PreparationLimit(watch, programs: .zero))
    }

    /// The log of a run on this connection, and how it ended.
    private func run(
        _ client: consuming SubstituteClient, on connection: consuming SubstituteConnection,
        _ request: RunRequest = RunRequest(schedule: .nat64)
    ) throws -> FinishedRun {
        try finished(try connected(client, on: connection, request))
    }

    private func failure(connecting launched: consuming LaunchedClient) -> CheckFailure? {
        do throws(CheckFailure) { _ = try launched.connect() } catch { return error }
        return nil
    }

    private func failure(running connected: consuming ConnectedClient) -> CheckFailure? {
        do throws(CheckFailure) { _ = try finished(connected) } catch { return error }
        return nil
    }

    private func finished(_ connected: consuming ConnectedClient) throws(CheckFailure) -> FinishedRun {
        var reaped: ReapedClient?
        return try connected.start().awaitEnd(leaving: &reaped).finish()
    }

    @Test func `have a limit each, from the start to the evidence`() throws {
        let run = try run(SubstituteClient(log), on: SubstituteConnection(log))
        #expect(run.evidence.end == .exited(status: 0) && run.pref64 == "64:ff9b::/96")
        #expect(
            log.lines == [
                "guards 7", "60 s: the client's start", "it starts", "go", "it runs", "10 s: \(Self.stuck)",
                "end of the client", "client gone", "end of the connection", "connection gone", "no limit",
            ])
    }

    private static let stuck = "the run could not be ended in time: a process or a file does not answer"

    @Test func `end the client and give its place back if the simulator cannot make its network`() throws {
        var reservation = SubstituteReservation(log, place)
        reservation.failure = CheckFailure("no world", .machineCannot)
        let failure = failure(connecting: try launched(SubstituteClient(log), reservation))
        #expect(failure == CheckFailure("no world", .machineCannot))
        #expect(log.lines.prefix(3) == ["guards 7", "90 s: the simulator", "prepare"])
        #expect(
            Set(log.lines.dropFirst(3)) == ["place given back", "5 s: \(Self.stuck)", "client gone"])
        try expectLimitBeforeEnd()
    }

    @Test func `end the client if its link cannot be made`() throws {
        var client = SubstituteClient(log)
        client.linkFailure = SandboxError(.link, "no veth")
        let failure = failure(connecting: try launched(client, SubstituteReservation(log, place)))
        #expect(failure?.description.contains("no veth") == true)
        #expect(log.lines.contains("90 s: the client's link") && log.lines.contains("network gone"))
        try expectLimitBeforeEnd()
    }

    /// A client that cannot be ended must not hold the process up.
    private func expectLimitBeforeEnd() throws {
        let limit = try #require(log.lines.firstIndex(of: "5 s: \(Self.stuck)"))
        let end = try #require(log.lines.firstIndex(of: "client gone"))
        #expect(limit < end)
    }

    @Test func `end the client if the simulator goes while it runs`() throws {
        var connection = SubstituteConnection(log)
        connection.newsFailure = CheckFailure("gone", .machineCannot)
        var client = SubstituteClient(log)
        client.looks = 1_000_000
        let failure = failure(running: try connected(client, on: connection))
        #expect(failure == CheckFailure("gone", .machineCannot))
        #expect(log.lines.contains("connection gone"))
        try expectLimitBeforeEnd()
    }

    @Test func `have no evidence of a client that the far side does not account for`() throws {
        var connection = SubstituteConnection(log)
        connection.endFailure = CheckFailure("no answer", .machineCannot)
        let failure = failure(running: try connected(SubstituteClient(log), on: connection))
        #expect(failure == CheckFailure("no answer", .machineCannot))
        #expect(log.lines.suffix(1) != ["no limit"], "the end has a limit still")
    }

    @Test func `wait without a limit while the world stands, and have a new one after that`() throws {
        var connected = try connected(SubstituteClient(log), on: SubstituteConnection(log))
        try connected.pause { log.add("pause") }
        _ = try connected.start()
        #expect(log.lines.prefix(4) == ["guards 7", "no limit", "pause", "60 s: the client's start"])
    }

    @Test func `ask a client to end when its time is over, and kill one that does not`() throws {
        var request = RunRequest(schedule: .nat64, timeout: .milliseconds(1))
        request.grace = .seconds(60)
        var client = SubstituteClient(log)
        client.looks = 1_000_000
        client.obeys = true
        let asked = try run(client, on: SubstituteConnection(log), request)
        #expect(asked.evidence.end == .timedOut(after: .milliseconds(1)))
        #expect(log.lines.filter { $0.hasPrefix("kill") } == ["kill \(SIGTERM)"])

        request.grace = .zero
        var stubborn = SubstituteClient(log)
        stubborn.looks = 1_000_000
        #expect(
            try run(stubborn, on: SubstituteConnection(log), request).evidence.end
                == .timedOut(after: .milliseconds(1)))
        #expect(log.lines.filter { $0.hasPrefix("kill") }.count == 1, "without grace it is not asked")
    }

    @Test func `pass signals on, and say who cancelled the run`() throws {
        watch.signals = [SIGINT, SIGUSR1]
        watch.cancelling = SIGINT
        var reaped: ReapedClient?
        let connected = try connected(SubstituteClient(log), on: SubstituteConnection(log))
        let ended = try connected.start().awaitEnd(leaving: &reaped)
        #expect(ended.cancellation == SIGINT)
        #expect(log.lines.filter { $0.hasPrefix("kill") } == ["kill \(SIGINT)", "kill \(SIGUSR1)"])
    }

    @Test(arguments: [
        (ExitReport(.notExecuted(.ENOEXEC)), "it is no program for this machine", ExitCode.usage),
        (ExitReport(.notExecuted(.ENOENT)), "its interpreter or dynamic loader does not exist", .usage),
        (ExitReport(.lost), "the client's keeper was killed", .machineCannot),
    ])
    func `say why there is no verdict`(end: ExitReport, words: String, code: ExitCode) throws {
        var client = SubstituteClient(log)
        client.ending = end
        let failure = failure(running: try connected(client, on: SubstituteConnection(log)))
        #expect(failure?.description.contains(words) == true && failure?.exitCode == code)
    }

    @Test func `have the client's network only as long as the client`() throws {
        var context = try RunContext.ofTest(watch: watch)
        context.isNetworkHeld = true
        let client = GuardedClient(SubstituteClient(log), watch: watch)
        let observers = try ClientObservers(client, context)
        let connected = ConnectedClient(
            client, on: SubstituteConnection(log), at: place, since: MonotonicClock.now(), observers, context,
            PreparationLimit(watch, programs: .zero))
        let failure = failure(running: connected)
        #expect(failure?.description.contains("there is no network in a test") == true)
        #expect(log.lines.prefix(3) == ["guards 7", "60 s: the client's hold on its network", "takeNetwork"])
        try expectLimitBeforeEnd()
    }
}
