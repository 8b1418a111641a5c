// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Two users on one daemon: one user's actions neither appear in the other's report nor disturb its runs.
    @Suite struct IsolationTests {
        /// A client of an ordinary user, which runs until it is told to stop.
        private final class HostileClient {
            private let process: Process
            private let folder: URL

            /// - Parameter program: Python that calls `begin()` when it is at work, and `ended()` to learn whether to stop.
            init(_ program: String, on daemon: RunningDaemon) throws {
                folder = daemon.folder.appending(path: "hostile")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
                let script = folder.appending(path: "client.py")
                let frame = """
                    import os, socket, struct, time
                    folder, deadline = "\(folder.path)/", time.monotonic() + 60
                    def begin(): open(folder + "begun", "w").close()
                    def ended(): return os.path.exists(folder + "end") or time.monotonic() > deadline

                    """
                try Data((frame + program).utf8).write(to: script)
                let log = folder.appending(path: "log")
                try Data().write(to: log)
                process = try .start(
                    User.ordinary.prefix + [
                        Binaries.ipv6check, "--simulator", "unix:\(daemon.folder.path)/attach.sock", "--once",
                        "--json", folder.appending(path: "report.json").path, "python3", script.path,
                    ], output: try FileHandle(forWritingTo: log), errors: try FileHandle(forWritingTo: log))
                let begun = folder.appending(path: "begun").path
                let deadline = ContinuousClock.now + .seconds(30)
                while !FileManager.default.fileExists(atPath: begun), process.isRunning,
                    ContinuousClock.now < deadline
                { usleep(20_000) }
                try #require(
                    FileManager.default.fileExists(atPath: begun),
                    Comment(rawValue: (try? String(contentsOf: log, encoding: .utf8)) ?? ""))
            }

            deinit { _ = try? end() }

            /// Ends the client.
            /// - Returns: its own report.
            func end() throws -> Report {
                try Data().write(to: folder.appending(path: "end"))
                process.waitUntilExit()
                return try Report(folder.appending(path: "report.json"))
            }
        }

        private struct Report {
            let size: Int
            let verdict: String?
            let exitCode: Int?
            let run: [String: Any]

            init(_ file: URL) throws {
                let text = try Data(contentsOf: file)
                let report = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
                size = text.count
                verdict = report["verdict"] as? String
                exitCode = report["exitCode"] as? Int
                run = try #require((report["runs"] as? [[String: Any]])?.first)
            }

            /// The objects of a list in the report.
            subscript(key: String) -> [[String: Any]] { run[key] as? [[String: Any]] ?? [] }

            var names: Set<String> { Set(self["dns"].compactMap { $0["name"] as? String }) }
        }

        /// BCP 38. With IPV6_FREEBIND any user can bind a socket to an address that the machine does not have.
        @Test func `a query with another's address is not in the other's report`() throws {
            let daemon = try RunningDaemon("clients: { everyone: true }")
            // The addresses of the first three slots, on both networks.
            let hostile = try HostileClient(
                """
                query = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + b"\\x07spoofed\\x04test\\x00" + struct.pack(">2H", 28, 1)
                sockets = []
                for place in range(3):
                    for host in (0x100, 0x200):
                        s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                        s.setsockopt(socket.IPPROTO_IPV6, 78, 1)
                        try: s.bind(("2e00:2:0:1::%x:%x" % (0xc0 + place, host), 5353))
                        except OSError: continue
                        sockets.append(s)
                while not ended():
                    for s in sockets: s.sendto(query, ("2e00:2:0:1::1", 53))
                    begin()
                    time.sleep(0.01)
                """, on: daemon)
            let file = daemon.folder.appending(path: "honest.json")
            expectPass(
                try daemon.check(
                    "--json", file.path, "sh", "-c", "sleep 1; curl -fsS http://shop.test/"))
            let honest = try Report(file)
            #expect(honest.names == ["shop.test"])
            #expect(!honest["drops"].contains { $0["reason"] as? String == "spoofed-source" })

            let own = try hostile.end()
            let drop = try #require(own["drops"].first { $0["reason"] as? String == "spoofed-source" })
            #expect(drop["kind"] as? String == "routing" && (drop["count"] as? Int ?? 0) > 0)
            // Queries from its own address are in its own report only.
            #expect(own.names == ["spoofed.test"])
        }

        @Test(arguments: ["http://shop.test/ip", "https://shop.test/ip", "telnet://echo.test:7"])
        func `connections that one client holds are none that another lacks`(url: String) throws {
            let daemon = try RunningDaemon("clients: { everyone: true }")
            let hostile = try HostileClient(
                """
                import resource
                most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
                resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
                held = []
                for host, port in [("shop.test", 80), ("shop.test", 443), ("echo.test", 7)]:
                    address = socket.getaddrinfo(host, port, socket.AF_INET6, socket.SOCK_STREAM)[0][4]
                    for _ in range(1200):
                        s = socket.socket(socket.AF_INET6)
                        s.settimeout(2)
                        try: s.connect(address)
                        except OSError: continue
                        held.append(s)
                begin()
                while not ended(): time.sleep(0.02)
                raise SystemExit(1)
                """, on: daemon)
            for _ in 0..<3 {
                let honest = try daemon.check(
                    "--once", "sh", "-c", "echo hello | timeout 10 curl -fsSk -m 3 \(url); test $? = 0 -o $? = 28")
                expectPass(honest)
                #expect(!honest.text.isEmpty && !honest.standardError.contains("simulator"))
            }
            // It failed at limits that no network has.
            let own = try hostile.end()
            #expect(own.verdict == "not-judged" && own.exitCode == 5)
            let refusals = own["refusals"]
            #expect(refusals.contains { $0["reason"] as? String == "connection-refused" })
            #expect(refusals.contains { $0["reason"] as? String == "connection-taken" })
        }

        @Test func `questions that one client asks push none of another's out`() throws {
            let daemon = try RunningDaemon("clients: { everyone: true }\ndns64: { limits: { log: 64 } }")
            let hostile = try HostileClient(
                """
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                s.connect(("2e00:2:0:1::1", 53))
                s.setblocking(False)
                number = answers = 0
                while not ended():
                    for _ in range(20):
                        name = b"n%d" % number
                        number += 1
                        query = struct.pack(">6H", number & 0xffff, 0x100, 1, 0, 0, 0)
                        try: s.send(query + bytes([len(name)]) + name + b"\\x04test\\x00" + struct.pack(">2H", 28, 1))
                        except OSError: pass
                        try: answers += len(s.recv(4096)) > 0
                        except OSError: pass
                    if answers > 6000: begin()
                    time.sleep(0.002)
                """, on: daemon)
            let file = daemon.folder.appending(path: "honest.json")
            expectPass(
                try daemon.check(
                    "--json", file.path, "sh", "-c", "getent ahosts two.test; sleep 1; curl -fsS http://shop.test/"))
            let honest = try Report(file)
            #expect(honest.names == ["two.test", "shop.test"] && honest.run["lostObservations"] as? Int == 0)
            #expect(honest.run["leftOut"] == nil)

            let own = try hostile.end()
            #expect(own.verdict == "passes" && own.size <= 4_000_000)
            let leftOut = try #require(own.run["leftOut"] as? [String: Int])
            #expect((leftOut["queries"] ?? 0) > 4000 && (leftOut["dns"] ?? 0) > 4000)
        }
    }
}
