// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import Evidence
import Foundation
import Glibc
import LinuxNet
import Topology
import Wire

@testable import CheckRunner
@testable import Sandbox

// Substitutes for all that a run needs outside of this process. Each writes into one log what is asked of it, in the order of asking.

final class Log {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}

final class SubstituteWatch: RunWatch {
    private let log: Log
    var signals: [Int32] = []
    var graceEnd: Instant?
    var cancelling: Int32?

    init(_ log: Log) { self.log = log }

    func expectEnd(until deadline: Instant?, otherwise failure: CheckFailure?) {
        guard let deadline, let failure else {
            log.add("no limit")
            return
        }
        let words = failure.description.split(separator: ", and ").last.map { $0.split(separator: " was waited")[0] }
        let seconds = ((deadline - MonotonicClock.now()) / .seconds(1)).rounded()
        log.add("\(Int(seconds)) s: \(words ?? "")")
    }

    func clientStarts() { log.add("it starts") }
    func clientRuns() { log.add("it runs") }
    func guards(launcher: Int32?) { log.add("guards \(launcher ?? 0)") }
    var descriptor: Int32 { -1 }

    func take() -> [Int32] {
        defer { signals = [] }
        return signals
    }

    func cancellation(of end: ExitOutcome) -> Int32? { cancelling }
}

struct SubstituteClient: SandboxedClient, ~Copyable {
    let log: Log
    /// How it ends, and after how many looks.
    var ending = ExitReport(.exited(code: 0))
    var looks = 2
    /// Whether it ends when it is told to.
    var obeys = false
    var linkFailure: SandboxError?

    init(_ log: Log) { self.log = log }

    deinit { log.add("client gone") }

    func takeLink() throws(SandboxError) -> LinkDevice {
        log.add("takeLink")
        throw linkFailure ?? SandboxError(.link, "there is no link in a test")
    }

    func takeSocket() throws(SandboxError) -> AbstractSocket { throw SandboxError(.launcher, "none") }
    func takeClosedSockets() throws(SandboxError) -> ClosedSockets? { nil }
    func takeListener() throws(SandboxError) -> Descriptor { throw SandboxError(.launcher, "none") }
    func takeNetwork(_ network: ClientNetwork) throws(SandboxError) -> HeldNetwork {
        log.add("takeNetwork")
        throw SandboxError(.network, "there is no network in a test")
    }

    var launcherProcess: Int32? { 7 }
    var process: Int32? { nil }
    var protection: Protection? { nil }
    var tracingObstacle: Errno? { nil }
    var descriptor: Int32 { -1 }
    var nextPoll: Instant? { MonotonicClock.now() + .milliseconds(1) }

    func go(follow: (Int32) throws(SystemError) -> Void) throws(SandboxError) { log.add("go") }

    mutating func poll() -> ExitReport? {
        looks -= 1
        if obeys, log.lines.contains("kill \(SIGTERM)") { return ExitReport(.exited(code: 0)) }
        return looks < 0 ? ending : nil
    }

    func kill(_ number: Int32) { log.add("kill \(number)") }

    consuming func end() -> ReapedClient {
        log.add("end of the client")
        return ReapedClient(survivors: .none)
    }
}

struct SubstituteReservation: Reservation, ~Copyable {
    let log: Log
    let place: ReservedSlot
    var failure: CheckFailure?

    init(_ log: Log, _ place: ReservedSlot) {
        self.log = log
        self.place = place
    }

    deinit { log.add("place given back") }

    consuming func prepare() throws(CheckFailure) -> any PreparedSlot & ~Copyable {
        log.add("prepare")
        if let failure { throw failure }
        return SubstituteSlot(log: log)
    }
}

struct SubstituteSlot: PreparedSlot, ~Copyable {
    let log: Log

    deinit { log.add("network gone") }

    consuming func connect(
        _ device: consuming LinkDevice, capture: CaptureFile?, keepsPayloads: Bool
    ) throws(CheckFailure) -> any ClientConnection & ~Copyable { SubstituteConnection(log) }
}

struct SubstituteConnection: ClientConnection, ~Copyable {
    let log: Log
    /// The far side goes when the client runs.
    var newsFailure: CheckFailure?
    var endFailure: CheckFailure?

    init(_ log: Log) { self.log = log }

    deinit { log.add("connection gone") }

    var hangUpDescriptor: Int32 { -1 }

    func news() throws(CheckFailure) -> Attachment.News? {
        if let newsFailure { throw newsFailure }
        return nil
    }

    func move(to network: Network?) throws(CheckFailure) -> ReservedSlot {
        throw CheckFailure("there is no other network", .machineCannot)
    }

    func arrive() {}

    consuming func end() throws(CheckFailure) -> NetworkEvidence {
        log.add("end of the connection")
        if let endFailure { throw endFailure }
        return NetworkEvidence()
    }
}

extension RunContext {
    /// A run that nothing is loaded into.
    static func ofTest(
        command: [String] = ["true"], _ variables: [OSString] = ["PATH=/usr/bin:/bin"],
        watch: any RunWatch = SubstituteWatch(Log()), request: RunRequest = RunRequest(schedule: .nat64),
        _ change: (inout CheckOptions) -> Void = { _ in }
    ) throws -> RunContext {
        var options = CheckOptions()
        options.command = command
        change(&options)
        let inheritance = Inheritance(
            arguments: [], environment: Environment(entries: variables), ignoredSignals: [], blockedSignals: [],
            descriptors: [], capabilities: .current())
        return RunContext(
            request: request, prepared: try ResolvedOptions(options, inheritance.environment), inheritance: inheritance,
            preloading: Preloading(), frames: nil, unusedStreams: nil, machinePorts: try MachinePorts([]), watch: watch,
            isNetworkHeld: false)
    }
}
