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
    private let authority: CertificateAuthority
    private let signals: SignalQueue
    private var simulator: Simulator?
    private let environment: ClientEnvironment
    private let files: [ShownFile]
    private let preloading: Preloading

    /// Moves the process into the namespace in which the world is made. There must be one thread still.
    init(
        _ prepared: Preparation, _ inheritance: Inheritance, getaddrinfo: GetaddrinfoProfile?
    ) throws(CheckFailure) {
        self.prepared = prepared
        self.inheritance = inheritance
        try CheckFailure.wrapping { () throws(SandboxError) in try WorldNamespace.enter(inheritance) }
        preloading = try Preloading(
            asked: getaddrinfo, client: .of(prepared.program, path: inheritance.environment["PATH"]))
        do {
            authority = try CertificateAuthority()
        } catch {
            throw CheckFailure("cannot make the test CA: \(error)", .machineCannot)
        }
        let certificates = ClientFiles.certificates(authority: authority.certificatePEM)
        environment = ClientEnvironment(inherited: inheritance.environment, bundle: certificates.bundlePath)
        files = ClientFiles.nameService(resolver: NetworkPlan.router, hostName: hostName()) + certificates.files
        // The terminal sends its ^C to the client as well, which decides what it means. What is sent to us alone is passed on.
        Signals.ignore([.interrupt, .quit])
        Signals.block([.hangUp, .terminate])
        signals = try CheckFailure.wrapping { () throws(SystemError) in try SignalQueue([.hangUp, .terminate]) }
    }

    /// What was changed around the client, a sentence each.
    var notes: [String] {
        let removed = environment.removedProxies
        if removed.isEmpty { return preloading.notes }
        let verb = removed.count == 1 ? "was" : "were"
        return ["\(removed.joined(separator: ", ")) \(verb) removed from the client's environment."] + preloading.notes
    }

    /// Runs the client on `network` to its end.
    /// - Parameter plain: with the machine's own getaddrinfo, whatever was asked for.
    func run(
        on network: Network, timeout: Duration?, streams: StandardStreams = .inherited, plain: Bool = false
    ) throws(CheckFailure) -> RunEvidence {
        let preloading = plain ? Preloading() : self.preloading
        let capture = try CaptureFile.open(prepared.capturePath, network: network, isControl: simulator != nil)
        // The launcher makes the client's place while we make the world.
        var client = try CheckFailure.wrapping { () throws(SandboxError) in
            try Client.start(plan(for: network, preloading), streams: streams)
        }
        let simulator = try startedSimulator()
        let tun = try CheckFailure.wrapping { () throws(SandboxError) in try client.takeTUN() }
        let collector = preloading.isActive ? try collector(for: client) : nil
        let connection = try CheckFailure.wrapping(tun) { (tun) throws(SimulatorError) in
            try simulator.connect(tun, to: network, capture: capture)
        }

        let start = MonotonicClock.now()
        try CheckFailure.wrapping { () throws(SandboxError) in try client.go() }
        let end = try wait(for: &client, from: start, timeout: timeout)
        let duration = MonotonicClock.now() - start
        client.end()
        var evidence = connection.end(end, after: duration)
        evidence.profile = preloading.profile
        if let log = collector?.finish() {
            evidence.lookups = log.lookups
            evidence.lost += log.lost
        }
        try capture?.close()
        return evidence
    }

    func stop() {
        simulator?.stop()
    }

    private func startedSimulator() throws(CheckFailure) -> Simulator {
        if let simulator { return simulator }
        let started = try CheckFailure.wrapping { () throws(SimulatorError) in
            try Simulator(
                SimulatorConfiguration(world: prepared.world, links: prepared.links, authority: authority))
        }
        simulator = started
        return started
    }

    private func plan(for network: Network, _ preloading: Preloading) -> ClientPlan {
        ClientPlan(
            program: prepared.program, arguments: prepared.arguments,
            environment: preloading.environment(
                environment.variables, prefixes: network == .nat64 ? prepared.prefixes : []),
            network: ClientPlace.first.clientNetwork(on: network, prepared.links), files: files + preloading.files,
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
        return try CheckFailure.wrapping(socket) { (socket) throws(SystemError) in try LookupCollector.start(socket) }
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
