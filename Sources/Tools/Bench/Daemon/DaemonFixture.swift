// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet

/// A daemon with its sockets in a temporary folder.
final class DaemonFixture {
    private let folder: TemporaryFolder
    private let socket: String
    private var process: ChildProcess

    init(ipv6check: String) throws(BenchFailure) {
        let folder = try TemporaryFolder()
        let (program, configuration) = (folder.path + "/nat64sim", folder.path + "/nat64sim.yaml")
        // The name selects the program. A copy, not a link: its pages are not shared with the runners, so its memory can be measured alone.
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

    /// The options with which a client's run uses this daemon.
    var simulator: [String] { ["--simulator", "unix:\(socket)"] }

    var processes: [Int32] { ProcessTree.processes(of: process.number) }

    /// Seconds of processor time of all its processes.
    var processorTime: Double { processes.map { ProcessClock.time(of: $0) }.reduce(0, +) }

    deinit {
        kill(process.number, SIGTERM)
        _ = process.wait()
    }
}
