// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DNS64
import DNSServer
import Evidence
import Glibc
import LinuxNet
import Scenarios
import ScenarioClient
import Terminal
import Text
import Wire

struct DNSScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dns-scenario",
        abstract: "Play scenarios against a running DNS64, and report where it answers differently.",
        discussion: """
            A scenario is a text file in presentation format: what the server knows, what is asked, what must come back. \
            fixtures/dns64/README.md describes the form.

            Without --server each scenario is played against a server of our own that knows what the scenario says. A \
            server at an address must know that already; its evidence cannot be seen, and scenarios that need its time or \
            its forwarders are skipped.

            Exit codes: 0 all passed (some may be skipped) · 1 at least one failed · 2 wrong usage, or a file that \
            cannot be read · 4 all were skipped.
            """)

    @Option(
        help: ArgumentHelp(
            "The server (repeatable, for each family): an address, and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353.",
            valueName: "address"))
    var server: [ServerAddress] = []

    @Option(help: ArgumentHelp("How long a reply may take: 1, 1.5, 500ms (default: 1).", valueName: "time"))
    var timeout: WrittenDuration?

    @Argument(help: ArgumentHelp("Scenarios.", valueName: "file"))
    var files: [String]

    @OptionGroup var colour: ColourOptions

    func run() throws {
        let texts = try files.map(Self.text(of:))
        let marks = Marks(colour.color)
        var (failures, skipped) = (0, 0)
        for (path, text) in zip(files, texts) {
            switch play(path, text) {
            case .passed(let outcome):
                let unseen = outcome.unseen > 0 ? ", \(outcome.unseen) of evidence not seen" : ""
                print("\(marks.pass)  \(path)  \(counted(outcome.checks, "check"))\(unseen)")
            case .skipped(let reason):
                print("\(marks.skip)  \(path)  \(reason)")
                skipped += 1
            case .failed(let failure):
                print("\(marks.fail)  \(failure)")
                failures += 1
            }
        }
        fflush(nil)
        if failures > 0 {
            throw CommandFailure(
                description: "\(failures) of \(counted(files.count, "scenario")) failed",
                status: .noSuccess)
        }
        if skipped == files.count {
            throw CommandFailure(
                description:
                    "nothing was shown: \(skipped == 1 ? "the scenario was" : "all \(skipped) scenarios were") skipped",
                status: .nothingToRun)
        }
    }

    private enum Result {
        case passed(ScenarioRunner<RunningServer>.Outcome)
        case skipped(String)
        case failed(String)
    }

    private func play(_ path: String, _ text: String) -> Result {
        do {
            let file = try ScenarioFile(name: path, text: text)
            if let obstacle = try file.obstacle(isLocal: canAsk) { return .skipped(obstacle) }
            let own = server.isEmpty ? try DNSService(file.configuration(), listeningOn: Self.loopback) : nil
            try own?.start()
            defer { own?.stop() }
            var runner = ScenarioRunner(
                file,
                against: RunningServer(
                    at: own?.addresses ?? server.map(\.address), timeout: timeout?.duration ?? .seconds(1)))
            return .passed(try runner.run())
        } catch let failure as ScenarioFile.Failure {
            return .failed("\(failure)")
        } catch {
            return .failed("\(path): \(error)")
        }
    }

    private static func text(of path: String) throws(CommandFailure) -> String {
        do throws(SystemError) {
            return String(decoding: try Descriptor.contents(of: path), as: UTF8.self)
        } catch {
            throw CommandFailure(description: "\(path): \(reason(error.errno))", status: .usage)
        }
    }

    private static func reason(_ error: Errno) -> String {
        switch error {
        case .ENOENT: "there is no such file"
        case .EACCES: "you may not read it"
        case .EISDIR: "is a directory; give the scenarios in it"
        default: "it cannot be read: \(error)"
        }
    }

    private static let loopback = [
        SocketAddress(IPv6Address.loopback, port: 0), SocketAddress(IPv4Address(127, 0, 0, 1), port: 0),
    ]

    /// The address must be this machine's, and there must be a server of its family.
    private func canAsk(from address: IPAddress) -> Bool {
        let address = SocketAddress(address, port: 0)
        guard server.isEmpty || server.contains(where: { $0.address.family == address.family }) else { return false }
        return address.isLocal
    }
}

/// `192.0.2.53` or `2001:db8::53#5353`, as `dig` and Unbound write it.
struct ServerAddress: ExpressibleByArgument {
    var address: SocketAddress

    init?(argument: String) {
        guard let server = Endpoint(written: argument, defaultPort: 53) else { return nil }
        address = SocketAddress(server)
    }
}
