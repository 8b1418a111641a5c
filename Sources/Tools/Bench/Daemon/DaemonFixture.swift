// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet

/// A daemon, with sockets in a folder of its own.
final class DaemonFixture {
    private let folder: TemporaryFolder
    private let socket: String
    private var process: ChildProcess

    init(ipv6check: String) throws(BenchFailure) {
        let folder = try TemporaryFolder()
        let (program, configuration) = (folder.path + "/nat64sim", folder.path + "/nat64sim.yaml")
        // It acts by its name. A copy and no link: its pages are not those of the runners then, and its memory is its own.
        try ChildProcess.run("cp", ipv6check, program)
        let text = """
            version: 1
            clients: { socket: \(folder.path)/attach.sock }
            control: { socket: \(folder.path)/control.sock }

            """
        try ChildProcess.run("sh", "-c", "printf %s \"$1\" >\"$2\"", "sh", text, configuration)
        process = try ChildProcess.service(program, "serve", "--config", configuration)
        socket = folder.path + "/attach.sock"
        self.folder = folder
        for _ in 0..<100 {
            if FileManager.default.fileExists(atPath: socket) { return }
            usleep(50_000)
        }
        throw BenchFailure("the daemon does not start")
    }

    var attachSocket: String { socket }

    /// What puts a client there.
    var simulator: [String] { ["--simulator", "unix:\(socket)"] }

    var processes: [Int32] { ProcessTree.processes(of: process.number) }

    /// Seconds that all its processes have had a processor.
    var processorTime: Double { processes.map { ProcessClock.time(of: $0) }.reduce(0, +) }

    deinit {
        kill(process.number, SIGTERM)
        _ = process.wait()
    }
}
