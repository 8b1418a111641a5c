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
        if let obstacle = Machine.obstacle {
            Console.write("ipv6check: \(obstacle)\n")
            exit(Findings.ExitCode.machineCannot.rawValue)
        }
        // The launcher is this executable, started again; it has nothing to parse.
        Launcher.runIfAsked()
        _ = inheritance
        if [["--help"], ["-h"], ["help"]].contains(Array(CommandLine.arguments.dropFirst())) {
            print(IPv6Check.helpMessage(for: CheckCommand.self))
            return
        }
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
        version: "0.1.0",
        subcommands: [CheckCommand.self, ShellCommand.self, ResolveCommand.self, DoctorCommand.self],
        defaultSubcommand: CheckCommand.self)
}
