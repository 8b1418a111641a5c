import ArgumentParser
import CheckRunner
import Findings
import Glibc
import Sandbox

@main
struct Entry {
    /// What the user's shell gave us; taken when main asks for it first, before anything else is done.
    static let inheritance = Inheritance.take()

    static func main() {
        // The launcher is this executable, started again; it has nothing to parse.
        Launcher.runIfAsked()
        _ = inheritance
        do {
            var command = try IPv6Check.parseAsRoot()
            try command.run()
        } catch let failure as CheckFailure {
            Console.write("ipv6check: \(failure)\n")
            exit(failure.exitCode.rawValue)
        } catch {
            let isCleanExit = IPv6Check.exitCode(for: error) == .success
            let message = IPv6Check.fullMessage(for: error)
            if isCleanExit {
                print(message)
                Glibc.exit(0)
            }
            Console.write(message + "\n")
            exit(Findings.ExitCode.usage.rawValue)
        }
    }
}

struct IPv6Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ipv6check",
        abstract: "Says whether a program works on an IPv6-only network, and why not.",
        usage: """
            ipv6check [options] [--] CLIENT [ARGUMENTS …]
            ipv6check shell [options]
            ipv6check doctor
            """,
        discussion: """
            Runs CLIENT on a simulated network that has IPv6 only, with a DNS64 and a NAT64 on the way to the IPv4 hosts \
            of a made-up world. Where it fails, it is run again on a dual-stack network, which tells a broken program from \
            an IPv6 problem. The report goes to the standard error stream; the client's own output stays its own.

              ipv6check curl -fsS http://shop.test/
              ipv6check --json report.json ./my-binary --its-options

            Exit codes:
            \(Findings.ExitCode.allCases.map { "  \(pad("\($0.rawValue)", 5))\($0.meaning)" }.joined(separator: "\n"))
            """,
        version: version,
        subcommands: [CheckCommand.self, ShellCommand.self, DoctorCommand.self],
        defaultSubcommand: CheckCommand.self)

    static let version = "0.1.0"

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
