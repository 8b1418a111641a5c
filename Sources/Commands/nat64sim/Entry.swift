// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Sandbox
import Terminal
import Text

package enum Entry {
    /// The state inherited from the user's shell; taken at its first use in main, before anything else is done.
    static let inheritance = Inheritance.take()

    package static func main() {
        _ = inheritance
        if let word = CommandLine.arguments.dropFirst().first,
            let message = UsageMessage.ofUnknownSubcommand(word, in: NAT64Sim.self)
        {
            fail(message, .usage)
        }
        do {
            var command = try NAT64Sim.parseAsRoot()
            try command.run()
        } catch let failure as CommandFailure {
            fail(failure.description, failure.status)
        } catch {
            let message = UsageMessage.of(error, in: NAT64Sim.self)
            if NAT64Sim.exitCode(for: error) == .success {
                print(message)
                Glibc.exit(0)
            }
            fflush(nil)
            Notice.show(message)
            exit(ExitStatus.usage.rawValue)
        }
    }

    private static func fail(_ message: String, _ status: ExitStatus) -> Never {
        fflush(nil)
        Notice.show("nat64sim: \(message)")
        exit(status.rawValue)
    }
}

struct NAT64Sim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nat64sim",
        abstract: "A simulated IPv6-only network with DNS64 and NAT64.",
        version: ProgramVersion.current,
        subcommands: [
            ServeCommand.self, GatewayCommand.self, CheckConfigCommand.self, TranslateCommand.self,
            DNS64CheckCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Running daemon",
                subcommands: [
                    StatusCommand.self, ClientsCommand.self, FindingsCommand.self, NetworkCommand.self,
                    SessionsCommand.self,
                    BindingsCommand.self,
                    DNSLogCommand.self, CountersCommand.self, FaultsCommand.self, PrefixCommand.self,
                    EventsCommand.self,
                ])
        ])
}
