// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Two users of one daemon, one of them hostile: the other's runs must not be affected.
    @Suite(needsRoot) struct HostileClientTests {
        private static let open = "clients: { everyone: true }\ncontrol: { everyone: true }"

        private func prefix(_ user: Int) -> [String] {
            ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]
        }

        /// A run of the honest user, which must get its page in good time.
        private func expectService(from daemon: RunningDaemon, sourceLocation: SourceLocation = #_sourceLocation) throws
        {
            let before = ContinuousClock.now
            let output = try run(
                prefix(1000) + [
                    Binaries.ipv6check, "--simulator", "unix:\(daemon.folder.path)/attach.sock", "curl", "-fsS",
                    "http://shop.test/",
                ])
            expectPass(output, sourceLocation: sourceLocation)
            #expect(ContinuousClock.now - before < .seconds(5), sourceLocation: sourceLocation)
        }

        private func start(hostile command: [String], output: FileHandle = .nullDevice) throws -> Process {
            try .start(prefix(1001) + command, output: output, errors: output)
        }

        private func wait(for condition: () -> Bool) {
            let deadline = ContinuousClock.now + .seconds(10)
            while !condition(), ContinuousClock.now < deadline { usleep(20_000) }
        }

        /// A write to a frozen file system blocks until it is thawed.
        @Test func `a capture on a file system that hangs keeps nobody, nor the daemon's end`() throws {
            let daemon = try RunningDaemon(Self.open, as: .root)
            let disk = try FrozenDisk(in: daemon.folder)
            let there = daemon.folder.appending(path: "there").path
            let hostile = try start(hostile: [
                Binaries.ipv6check, "-q", "--simulator", "unix:\(daemon.folder.path)/attach.sock", "--pcap",
                "\(disk.folder)/x.pcap", "sh", "-c",
                "touch \(there); while :; do curl -s http://shop.test/ >/dev/null; done",
            ])
            defer { hostile.terminate() }
            wait { FileManager.default.fileExists(atPath: there) }
            try disk.freeze()
            sleep(1)
            try expectService(from: daemon)
            let clients = try daemon.control("GET", "/v1/clients")
            #expect(clients.contains("\"uid\" : 1001"), Comment(rawValue: clients))
            let before = ContinuousClock.now
            let simulator = try #require(daemon.simulator)
            #expect(daemon.end() == 0)
            #expect(ContinuousClock.now - before < .seconds(6))
            #expect(daemon.log.contains(" ended"))
            #expect(!FileManager.default.fileExists(atPath: "\(daemon.folder.path)/attach.sock"))
            // A thread blocked in a write keeps its own process alive, and no other.
            #expect(kill(simulator, 0) == 0)
            disk.thaw()
        }

        /// Connects to a socket again and again, sends nothing, and holds the connections.
        private func flood(_ daemon: RunningDaemon, _ socket: String, _ kind: String, _ count: Int) throws -> Process {
            let there = daemon.folder.appending(path: "flooded").path
            let program = """
                import socket, time
                held = []
                while True:
                    for _ in range(\(count)):
                        s = socket.socket(socket.AF_UNIX, socket.\(kind))
                        s.setblocking(False)
                        try:
                            s.connect("\(daemon.folder.path)/\(socket)")
                            held.append(s)
                        except BlockingIOError:
                            pass
                    held = held[-\(count):]
                    open("\(there)", "w")
                    time.sleep(0.2)
                """
            let hostile = try start(hostile: ["env", "PATH=/usr/bin:/bin", "python3", "-c", program])
            wait { FileManager.default.fileExists(atPath: there) }
            return hostile
        }

        @Test func `idle connections to the attach socket keep nobody from it`() throws {
            let daemon = try RunningDaemon(Self.open, as: .root)
            let hostile = try flood(daemon, "attach.sock", "SOCK_SEQPACKET", 200)
            defer { hostile.terminate() }
            for _ in 0..<5 { try expectService(from: daemon) }
            #expect(daemon.log.contains("user 1001 has "), Comment(rawValue: daemon.log))
            #expect(daemon.log.components(separatedBy: "refused: ").count == 2)
        }

        @Test func `idle connections to the control API keep nobody from it`() throws {
            let daemon = try RunningDaemon(Self.open, as: .root)
            let hostile = try flood(daemon, "control.sock", "SOCK_STREAM", 300)
            defer { hostile.terminate() }
            for user in [1000, 0] {
                let before = ContinuousClock.now
                for _ in 0..<5 {
                    let status = try run(
                        prefix(user) + [Binaries.nat64sim, "status", "--socket", "\(daemon.folder.path)/control.sock"])
                    #expect(status.status == 0, Comment(rawValue: status.standardError))
                }
                #expect(ContinuousClock.now - before < .seconds(5))
            }
            #expect(daemon.log.contains("connections to the control API"), Comment(rawValue: daemon.log))
            #expect(daemon.log.components(separatedBy: "refused: ").count == 2)
        }

        /// Floods the network for some seconds with two clients of the hostile user.
        private func flood(_ daemon: RunningDaemon) throws {
            let script = daemon.folder.appending(path: "hostile_client.py")
            if !FileManager.default.fileExists(atPath: script.path) {
                try FileManager.default.copyItem(
                    at: Binaries.root.appending(path: "scripts/lib/hostile_client.py"), to: script)
            }
            let floods = try ["connections", "names"].map { what in
                try start(hostile: [
                    Binaries.ipv6check, "-q", "--once", "--simulator", "unix:\(daemon.folder.path)/attach.sock",
                    "python3", script.path, what, "3",
                ])
            }
            for flood in floods {
                flood.waitUntilExit()
                #expect(flood.terminationStatus == 0)
            }
        }

        private func kilobytes(of daemon: RunningDaemon) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(daemon.processIdentifier)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return try #require(Int(line.split(separator: " ").dropLast().last ?? ""))
        }

        private func descriptors(of daemon: RunningDaemon) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.processIdentifier)/fd").count
        }

        @Test func `floods make the daemon grow once, and leave no descriptor behind`() throws {
            let daemon = try RunningDaemon(Self.open + "\ndns64: { limits: { cache: 512, log: 512 } }", as: .root)
            let before = try descriptors(of: daemon)
            for _ in 0..<2 { try flood(daemon) }
            let settled = try kilobytes(of: daemon)
            for _ in 0..<2 { try flood(daemon) }
            let after = try kilobytes(of: daemon)
            // `scripts/endure hostile` tests this for minutes, and more closely.
            #expect(after < settled + settled / 4, "\(settled) kB after two floods, \(after) kB after four")
            wait { (try? descriptors(of: daemon)) ?? .max <= before }
            #expect(try descriptors(of: daemon) <= before)
            try expectService(from: daemon)
        }

        /// The hostile user takes every slot that it can get; the rest must be left for the other.
        @Test func `clients that stay leave places for others`() throws {
            let daemon = try RunningDaemon("clients: { everyone: true, most: 4 }", as: .root)
            let there = daemon.folder.appending(path: "there").path
            // Our threads block most signals, and a shell would inherit that: it could not be terminated, nor would it get SIGCHLD.
            let hostile = try start(hostile: [
                "python3", "-c",
                """
                import signal, subprocess
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                runner = ["\(Binaries.ipv6check)", "-q", "--simulator", "unix:\(daemon.folder.path)/attach.sock"]
                for process in [subprocess.Popen(runner + ["sh", "-c", "touch \(there).$0; sleep 8", str(i)]) for i in range(8)]:
                    process.wait()
                """,
            ])
            defer { hostile.terminate() }
            wait { daemon.log.components(separatedBy: "client-attached").count > 3 }
            for _ in 0..<3 { try expectService(from: daemon) }
        }
    }
}

/// A small file system that can be frozen; it is thawed and removed at the end.
private final class FrozenDisk {
    let folder: String
    private let image: String

    init(in parent: URL) throws {
        folder = parent.appending(path: "disk").path
        image = parent.appending(path: "image").path
        let made = try run([
            "sh", "-ec",
            """
            mkdir \(folder); truncate -s 16M \(image); mkfs.ext4 -q \(image); mount -o loop \(image) \(folder)
            chmod 777 \(folder)
            """,
        ])
        try #require(made.status == 0, Comment(rawValue: made.standardError))
    }

    func freeze() throws { try #require(try run(["fsfreeze", "--freeze", folder]).status == 0) }

    func thaw() { _ = try? run(["fsfreeze", "--unfreeze", folder]) }

    deinit {
        thaw()
        _ = try? run(["sh", "-c", "umount -l \(folder); rm -rf \(folder) \(image)"])
    }
}
