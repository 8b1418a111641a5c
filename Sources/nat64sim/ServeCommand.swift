import ArgumentParser
import DNS64
import Findings
import Glibc
import LinuxNet
import Sandbox
import Simulator
import Translation
import Uplink
import Wire
import World

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve an IPv6-only network in the foreground, for commands that are brought into it with nsenter.")

    @Option(
        help: ArgumentHelp("The world file: hosts, records and services (default: the demo world).", valueName: "file"))
    var world: String?

    @Option(
        help: ArgumentHelp("The Pref64: an RFC 6052 prefix of length 32, 40, 48, 56, 64 or 96.", valueName: "prefix"))
    var prefix: String?

    @Option(
        help: ArgumentHelp(
            "What the DNS64 does wrong (repeatable): [NAME] [TYPE] [udp|tcp] [NUMBERS] EFFECT, such as 'shop.test AAAA drop'.",
            valueName: "fault"))
    var dnsFault: [String] = []

    @Option(
        help: ArgumentHelp("Write a line for each query to this file; - is the standard output.", valueName: "file"))
    var dnsLog: String?

    @OptionGroup var uplinkOptions: UplinkOptions

    func run() throws {
        var world: World
        do {
            world = try self.world.map { try World(file: $0) } ?? (uplinkOptions.uplink == nil ? .demo : .empty)
            if let prefix { world.dns64.replaceClauses(by: try Pref64(prefix)) }
            world.dns64.resolver.faults += try dnsFault.map { try Fault(presentation: $0) }
        } catch {
            throw CommandFailure(description: "\(error)", status: .usage)
        }
        if let objection = world.objectionToPrefixes {
            throw CommandFailure(description: objection, status: .usage)
        }
        try uplinkOptions.check(world)
        let log = try dnsLog.map { try DNSLogOutput($0) }
        do {
            try serve(world, log, Entry.inheritance)
        } catch {
            throw CommandFailure(description: "\(error)", status: .machineCannot)
        }
    }

    private func serve(_ world: World, _ log: DNSLogOutput?, _ inheritance: Inheritance) throws {
        let uplink = try uplinkOptions.open(inheritance)
        if uplink == nil { try WorldNamespace.enter(inheritance) }
        defer { uplink?.close() }
        let ending: SignalSet = [.hangUp, .interrupt, .terminate]
        Signals.block(ending)
        let signals = try SignalQueue(ending)
        let authority = try CertificateAuthority()

        var tenant = try Client.start(tenantPlan(authority, inheritance))
        var configuration = SimulatorConfiguration(world: world, authority: authority)
        configuration.uplink = uplink
        let simulator = try Simulator(configuration)
        let connection = try simulator.connect(tenant.takeTUN(), to: .nat64)
        let follower = try log.map { log in try DNSLogFollower.start(simulator.dns) { log.write($0) } }
        try tenant.go()
        announce(tenant: tenant.process ?? 0, world.translatedPrefixes)
        // The signals that end us are passed on to the tenant, and its end is ours.
        _ = tenant.wait(forwarding: signals)
        tenant.end()
        connection.cut()
        simulator.stop()
        follower?.stop()
    }

    /// A process that keeps the place on the network and does nothing there.
    private func tenantPlan(_ authority: CertificateAuthority, _ inheritance: Inheritance) -> ClientPlan {
        let certificates = ClientFiles.certificates(authority: authority.certificatePEM)
        return ClientPlan(
            program: "/bin/sleep", arguments: ["sleep", "infinity"], environment: inheritance.environment,
            network: ClientPlace.first.clientNetwork(on: .nat64),
            files: ClientFiles.nameService(resolver: NetworkPlan.router, hostName: "") + certificates.files,
            inheritance: inheritance)
    }

    private func announce(tenant: Int32, _ prefixes: [Pref64]) {
        let userNamespace = geteuid() == 0 ? "" : " --user --preserve-credentials"
        print(
            """
            nat64sim: serving an IPv6-only network, Pref64 \(prefixes.map { "\($0)" }.joined(separator: ", ")); ^C ends it
            nat64sim: to run a command there: nsenter --target \(tenant)\(userNamespace) --net --mount COMMAND
            """)
        fflush(nil)
    }
}
