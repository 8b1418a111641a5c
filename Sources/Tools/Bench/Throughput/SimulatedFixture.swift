// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Topology
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Simulator
import Translation
import Wire
import World

/// The simulated network of `ipv6check`: clients on a TUN, the world in this process's namespace.
final class SimulatedFixture: Way {
    private let simulator: Simulator
    private let zygote: Zygote
    private let inheritance: Inheritance

    /// Both are hosts of the demo world.
    static let ipv4Host = "198.51.100.10"
    static let ipv6Host = "2e00:2:0:cafe::6"

    func address(of host: String) -> String { "64:ff9b::\(host)" }

    init(_ inheritance: Inheritance) throws(BenchFailure) {
        self.inheritance = inheritance
        try OwnNetwork.enter()
        do {
            zygote = try Zygote.start(inheritance)
            simulator = try Simulator(SimulatorConfiguration(world: .demo, authority: CertificateAuthority()))
        } catch {
            throw BenchFailure("\(error)")
        }
    }

    func run(_ command: [String], within limit: Duration) throws(BenchFailure) -> String {
        let name = OSString(command[0])
        guard case .success(let program) = Executable.find(name, path: inheritance.environment["PATH"]) else {
            throw BenchFailure("\(name): not found")
        }
        let output = try TemporaryFile()
        let plan = ClientPlan(
            program: program, arguments: command.map { OSString($0) }, environment: inheritance.environment,
            network: ClientSlot.first.clientNetwork(on: .nat64),
            files: ClientFiles.nameService(resolvers: Network.nat64.entry.resolvers(on: .standard), hostName: ""),
            inheritance: inheritance)
        do {
            var client = try Client.start(
                plan, by: zygote.launch(), streams: StandardStreams(output: output.descriptor))
            let connection = try simulator.connect(client.takeLink(), to: .nat64)
            try client.go()
            let ending = client.wait(until: MonotonicClock.now() + limit)
            client.end()
            connection.cut()
            if ending == nil { throw BenchFailure("\(command.joined(separator: " ")) does not end") }
        } catch {
            throw BenchFailure("\(error)")
        }
        return output.contents
    }

    /// This process is the translator.
    var processorTime: Double { ProcessClock.time(of: getpid()) }

    func stop() { simulator.stop() }
}
