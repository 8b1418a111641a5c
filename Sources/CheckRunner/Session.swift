import Findings
import LinuxNet
import Sandbox
import Simulator
import Wire
import World

/// The simulator and the clients that are put on its networks, one after the other.
final class Session {
    private let prepared: Preparation
    private let inheritance: Inheritance
    private let farSide: any FarSide
    private let signals: SignalQueue
    private let preloading: Preloading
    private var removedProxies: [String] = []
    /// What is weaker about how clients are kept here, if anything.
    private var weakness: String?
    private var runs = 0
    private var prefixes: [String] = []
    /// What the links were like on which the last client ran.
    private(set) var links = LinkConditions()

    /// Moves the process into the namespace in which the world is made. There must be one thread still.
    init(
        _ prepared: Preparation, _ inheritance: Inheritance, getaddrinfo: GetaddrinfoProfile?
    ) throws(CheckFailure) {
        self.prepared = prepared
        self.inheritance = inheritance
        try CheckFailure.wrapping { () throws(SandboxError) in try WorldNamespace.enter(inheritance) }
        preloading = try Preloading(
            asked: getaddrinfo, client: .of(prepared.program, path: inheritance.environment["PATH"]))
        farSide =
            if let path = prepared.simulatorPath {
                RemoteSimulator(path: path)
            } else {
                try OwnSimulator(world: prepared.world, links: prepared.links)
            }
        // The terminal sends its ^C to the client as well, which decides what it means. What is sent to us alone is passed on.
        Signals.ignore([.interrupt, .quit])
        Signals.block([.hangUp, .terminate])
        signals = try CheckFailure.wrapping { () throws(SystemError) in try SignalQueue([.hangUp, .terminate]) }
    }

    /// What was changed around the client, a sentence each.
    var notes: [String] {
        let protection = weakness.map { ["Protection is weaker: \($0)."] } ?? []
        if removedProxies.isEmpty { return preloading.notes + protection }
        let verb = removedProxies.count == 1 ? "was" : "were"
        return ["\(removedProxies.joined(separator: ", ")) \(verb) removed from the client's environment."]
            + preloading.notes + protection
    }

    /// Runs the client on `network` to its end.
    /// - Parameters:
    ///   - plain: with the machine's own getaddrinfo, whatever was asked for.
    ///   - whenReserved: called before the client runs, when what is changed around it is known.
    func run(
        on network: Network, timeout: Duration?, streams: StandardStreams = .inherited, plain: Bool = false,
        whenReserved: (ReservedPlace) -> Void = { _ in }
    ) throws(CheckFailure) -> RunEvidence {
        let preloading = plain ? Preloading() : self.preloading
        let capture = CaptureFile(prepared.capturePath, network: network, isControl: runs > 0)
        runs += 1
        let place = try farSide.reserve(on: network, for: "\(prepared.arguments[0])")
        links = place.links
        if !place.prefixes.isEmpty { prefixes = place.prefixes }
        // The launcher makes the client's place while the world is made.
        var client = try CheckFailure.wrapping { () throws(SandboxError) in
            try Client.start(plan(for: place, preloading), streams: streams)
        }
        whenReserved(place)
        try farSide.prepare()
        let tun = try CheckFailure.wrapping { () throws(SandboxError) in try client.takeTUN() }
        let collector = preloading.isActive ? try collector(for: client) : nil
        try farSide.connect(tun, capture: capture)

        let start = MonotonicClock.now()
        try CheckFailure.wrapping { () throws(SandboxError) in try client.go() }
        let end = try wait(for: &client, from: start, timeout: timeout)
        let duration = MonotonicClock.now() - start
        weakness = client.protection?.weakness
        let survivors = client.end()
        var evidence = RunEvidence(network: network, end: end, duration: duration, seen: try farSide.end())
        evidence.survivors = SurvivingProcesses(survivors)
        evidence.profile = preloading.profile
        if let log = collector?.finish() {
            evidence.lookups = log.lookups
            evidence.uncovered = log.uncovered
            evidence.lost += log.lost
        }
        return evidence
    }

    /// The Pref64s of the IPv6-only network in presentation format, once a client has been there.
    var prefixList: String { prefixes.joined(separator: ", ") }

    func stop() {
        farSide.stop()
    }

    private func plan(for place: ReservedPlace, _ preloading: Preloading) -> ClientPlan {
        let certificates = place.authority.map { ClientFiles.certificates(authority: $0) }
        let environment = ClientEnvironment(inherited: inheritance.environment, bundle: certificates?.bundlePath)
        removedProxies = environment.removedProxies
        return ClientPlan(
            program: prepared.program, arguments: prepared.arguments,
            environment: preloading.environment(environment.variables, prefixes: place.prefixes),
            network: place.network,
            files: ClientFiles.nameService(resolver: place.resolver, hostName: hostName())
                + (certificates?.files ?? []) + preloading.files,
            socketName: preloading.isActive ? Preloading.socketName : nil, inheritance: inheritance)
    }

    /// Begins to take what the preloaded library reports.
    private func collector(for client: borrowing Client) throws(CheckFailure) -> LookupCollector {
        let socket: AbstractSocket
        do throws(SandboxError) {
            socket = try client.takeSocket()
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        return try CheckFailure.wrapping(socket) { (socket) throws(SystemError) in
            try LookupCollector.start(socket, path: inheritance.environment["PATH"])
        }
    }

    /// Signals that are sent to the runner are the client's.
    private func wait(
        for client: inout Client, from start: Instant, timeout: Duration?
    ) throws(CheckFailure) -> ClientEnd {
        guard let ending = client.wait(until: timeout.map { start + $0 }, forwarding: signals) else {
            return .timedOut(after: timeout ?? .zero)
        }
        switch ending.outcome {
        case .exited(let code): return .exited(status: code)
        case .signaled(let number, _): return .killed(signal: number)
        case .notExecuted(let reason):
            throw CheckFailure("\(prepared.program): cannot be executed: \(reason)", .usage)
        case .lost:
            throw CheckFailure("the client's keeper was killed, and with it the client", .machineCannot)
        }
    }
}
