// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox
import SuiteRunner
import Suites
import Terminal
import Text

/// `ipv6check listen`: a suite of one server under test, without a file.
struct ListenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Say whether a server is reached by IPv6, and by IPv4 through a NAT64.",
        usage: "ipv6check listen [options] [https:]PORT[/PATH] -- COMMAND …",
        discussion: """
            COMMAND runs on nat64 and on dual-stack. When it listens at PORT, hosts of the simulated network connect by IPv6, by IPv4 \
            through the NAT64, and by IPv4; with PATH or https, each has to get that page. Then COMMAND is ended.

              ipv6check listen 8080 -- python3 -m http.server 8080
              ipv6check listen 8080/healthz -- ./shopd
              ipv6check listen https:8443/healthz -- ./shopd

            Exit codes are those of ipv6check suite, whose files can ask more of a server.
            """)

    /// `8080`, `8080/healthz`, `https:8443` or `https:8443/healthz`.
    struct Place: ExpressibleByArgument {
        let action: Probe.Action

        init?(argument: String) {
            let secure = "https:"
            let scheme: PageRequest.Scheme = argument.hasPrefix(secure) ? .https : .http
            let rest = argument.dropFirst(scheme == .https ? secure.count : 0)
            if let port = portNumber(rest) {
                action = scheme == .https ? .page(PageRequest(.https, port, path: "/")) : .tcp(port)
            } else if let request = PageRequest(rest, scheme) {
                action = .page(request)
            } else {
                return nil
            }
        }
    }

    @Argument(help: ArgumentHelp("Where it listens, and what is asked for there.", valueName: "[https:]port[/path]"))
    var place: Place

    @Argument(parsing: .postTerminator, help: "The server and its arguments.")
    var command: [String]

    @Option(help: ArgumentHelp("A world file, for what the server itself needs.", valueName: "file"))
    var world: String?

    @Option(
        help: ArgumentHelp(
            "A TCP port of this machine that the server finds at its own 127.0.0.1 and ::1 (repeatable).",
            valueName: "port"),
        transform: { try HostPort($0) })
    var hostPort: [HostPort] = []

    @OptionGroup(title: "Report")
    var colour: ColourOptions

    func validate() throws {
        if command.isEmpty { throw ValidationError("give a server: ipv6check listen 8080 -- ./shopd") }
        if hostPort.contains(where: { $0.port == place.action.port }) || HostPort.clash(among: hostPort) != nil {
            throw ValidationError("a port of the server is given twice; give each once")
        }
    }

    func run() throws {
        _ = try Executable.given(OSString(command[0]), path: Entry.inheritance.environment["PATH"])
        var options = SuiteOptions()
        // Annotations need a file with lines, and there is none.
        options.annotations = .never
        options.colour = colour.color
        let suite = Suite.listening(command, doing: place.action, world: world, hostPorts: hostPort)
        Glibc.exit(try SuiteRun(SuiteSource(suite), options, inheritance: Entry.inheritance).run())
    }
}
