// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Sandbox

/// A server of a fixture process.
final class FixtureServer {
    let order: FixtureOrder.Server
    let process: Int32
    private let log: Descriptor

    /// Limit of the output that is searched for a line, in octets.
    private static let logLimit = 1 << 20

    init(_ order: FixtureOrder.Server, heeding signals: SignalSet) throws(SystemError) {
        self.order = order
        log = try Descriptor.open(order.log, flags: O_RDWR | O_CREAT | O_TRUNC | O_APPEND, mode: 0o666)
        let null = try Descriptor.open("/dev/null", flags: O_RDONLY)
        // A shell finds the program in the server's folder, and writes errors to the server's output.
        var spawning = Spawning(
            "/bin/sh",
            arguments: ["sh", "-c", "cd -- \"$1\" && shift && exec \"$@\"", "sh", order.folder].map { OSString($0) }
                + order.command.map { OSString($0) })
        spawning.descriptors = [
            (STDIN_FILENO, null.number), (STDOUT_FILENO, log.number), (STDERR_FILENO, log.number),
        ]
        spawning.hasOwnGroup = true
        spawning.heeded = signals
        var environment = Inheritance.environment()
        for (name, value) in order.environment.sorted(by: { $0.key < $1.key }) { environment[name] = OSString(value) }
        spawning.environment = environment.entries
        process = try spawning.start()
    }

    func hasPrinted(_ text: String) -> Bool {
        let output = (try? MemoryFile.contents(of: log, maximum: Self.logLimit)) ?? []
        return output.contains(Array(text.utf8))
    }

    /// Sends a signal to the server and its process group.
    func signal(_ number: Int32) { kill(-process, number) }
}
