// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Start and end of a world's programs.
    @Suite struct ProgramLifeTests {
        /// A world with a program at t.test, and the file for the program's notes.
        private struct ProgramWorld {
            let folder: URL
            var world: String { folder.appending(path: "world.yaml").path }
            var notes: String { (try? String(contentsOf: folder.appending(path: "notes"), encoding: .utf8)) ?? "" }

            /// - Parameters:
            ///   - command: words, written to the world file as JSON; NOTES in them stands for the file's path.
            ///   - keys: further keys of `run`.
            init(_ command: [String], _ keys: String = "") throws {
                folder = Binaries.scratch.appending(path: "life-\(UUID().uuidString)")
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
                let notes = folder.appending(path: "notes").path
                let words = String(
                    decoding: try JSONEncoder().encode(command.map { $0.replacing("NOTES", with: notes) }),
                    as: UTF8.self)
                try """
                version: 1
                hosts:
                  t.test:
                    addresses: [198.51.100.90]
                    services:
                      - run:
                          port: 9000
                          lives: run
                          command: \(words)
                          \(keys.replacing("NOTES", with: notes))
                """.write(toFile: world, atomically: true, encoding: .utf8)
            }

            func awaitNotes(_ expected: String) throws {
                for _ in 0..<1000 where notes != expected { usleep(10_000) }
                #expect(notes == expected)
            }
        }

        private static let python = [
            "python3", "-c",
            """
            import os, signal, socket
            def end(number, _): print("TERM", file=open("NOTES", "a")); os._exit(0)
            signal.signal(signal.SIGTERM, end)
            server = socket.create_server((os.environ["TCPLOCALIP"], int(os.environ["TCPLOCALPORT"])))
            while True: server.accept()[0].sendall(b"hi\\n")
            """,
        ]

        private static let servers = [
            python,
            [
                "node", "-e",
                """
                process.on("SIGTERM", () => { require("fs").appendFileSync("NOTES", "TERM\\n"); process.exit(0) })
                require("net").createServer(c => c.end("hi\\n")).listen(process.env.TCPLOCALPORT, process.env.TCPLOCALIP)
                """,
            ],
            [
                "perl", "-MIO::Socket::INET", "-e",
                """
                $SIG{TERM} = sub { open(my $notes, ">>", "NOTES"); print $notes "TERM\\n"; close $notes; exit 0 };
                my $server = IO::Socket::INET->new(LocalAddr => $ENV{TCPLOCALIP}, LocalPort => $ENV{TCPLOCALPORT}, Listen => 9, ReuseAddr => 1);
                while (1) { my $client = $server->accept or next; print $client "hi\\n"; close $client }
                """,
            ],
        ]

        private static let client = ["bash", "-c", "head -n 1 </dev/tcp/t.test/9000"]

        @Test(arguments: User.available, servers) func `a server is told to end`(user: User, server: [String]) throws {
            let world = try ProgramWorld(server, "grace: 30s")
            let start = ContinuousClock.now
            let output = try run([Binaries.ipv6check, "--world", world.world, "--"] + Self.client, as: user)
            expectPass(output)
            #expect(output.text == "hi\n")
            #expect(world.notes == "TERM\n")
            #expect(ContinuousClock.now - start < .seconds(20))
        }

        @Test func `a server that does not end is killed after its grace`() throws {
            let world = try ProgramWorld(
                [
                    "python3", "-c",
                    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); exec(open('NOTES.py').read())",
                ], "grace: 2s")
            try Self.python[2].replacing("signal.signal(signal.SIGTERM, end)", with: "").write(
                toFile: world.folder.path + "/notes.py", atomically: true, encoding: .utf8)
            let start = ContinuousClock.now
            expectPass(try run([Binaries.ipv6check, "--world", world.world, "--"] + Self.client))
            let taken = ContinuousClock.now - start
            #expect(taken > .seconds(2) && taken < .seconds(7))
        }

        /// For each signal to the runner, while a connection stays open.
        @Test(arguments: User.available, ["KILL", "INT", "TERM"])
        func `a server is told to end where its runner is ended`(
            user: User, signal: String
        ) throws {
            let world = try ProgramWorld(Self.python)
            let script = """
                trap - INT
                "$@" & runner=$!
                until [ -e "\(world.folder.path)/runs" ]; do sleep 0.05; done
                kill -\(signal) $runner
                wait $runner
                """
            // With job control a background job does not ignore SIGINT.
            _ = try run(
                [
                    "bash", "-mc", script, "bash", Binaries.ipv6check, "--world", world.world, "--", "bash", "-c",
                    "exec 3</dev/tcp/t.test/9000; read -r line <&3; touch \(world.folder.path)/runs; sleep 60",
                ], as: user)
            try world.awaitNotes("TERM\n")
        }

        @Test(arguments: User.available, ["check", "run"]) func `a folder is for a check, or for a run of it`(
            user: User, life: String
        ) throws {
            let world = try ProgramWorld(
                [
                    "python3", "-c",
                    """
                    import http.server, os, sys
                    os.chdir(sys.argv[3])
                    http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), http.server.SimpleHTTPRequestHandler).serve_forever()
                    """, "{address}", "{port}", "{state}",
                ],
                """
                state: \(life)
                          prepare: [sh, -c, "test -z \\"$(ls -A)\\"; pwd >> NOTES; echo ready > file"]
                """)
            let report = world.folder.appending(path: "report.json")
            let output = try run(
                [
                    Binaries.ipv6check, "--json", report.path, "--control", "never", "--world", world.world, "--", "sh",
                    "-c", "curl -sS http://t.test:9000/file && exit 3",
                ], as: user)
            let runs = try #require(
                (try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any])?["runs"] as? [Any])
            #expect(runs.count > 1)
            // Only the first run has the terminal; the exit status of the others shows that they found the file, too.
            #expect(output.text == "ready\n", output.told)
            #expect(output.standardError.components(separatedBy: "exit 3 after ").count - 1 == runs.count, output.told)
            let folders = world.notes.split(separator: "\n").map(String.init)
            #expect(folders.count == (life == "check" ? 1 : runs.count) && Set(folders).count == folders.count)
            for folder in folders {
                #expect(!FileManager.default.fileExists(atPath: URL(filePath: folder).deletingLastPathComponent().path))
            }
        }

        @Test(arguments: User.available) func `what a server prints is not the client's`(user: User) throws {
            let command = [
                "python3", "-c",
                "import sys; print('on standard output', flush=True); print('on standard error', file=sys.stderr); "
                    + Self.python[2].split(separator: "\n").first! + "\n"
                    + Self.python[2].split(separator: "\n").dropFirst().joined(separator: "\n"),
            ]
            let world = try ProgramWorld(command)
            for isVerbose in [false, true] {
                let output = try run(
                    [Binaries.ipv6check] + (isVerbose ? ["-v"] : []) + ["--world", world.world, "--"] + Self.client,
                    as: user)
                expectPass(output)
                #expect(output.text == "hi\n")
                for stream in ["output", "error"] {
                    let line = "[t.test:9000] on standard \(stream)\n"
                    #expect(output.standardError.contains(line) == isVerbose, output.told)
                    #expect(output.standardError.contains("on standard \(stream)") == isVerbose, output.told)
                }
            }
        }

        /// More output than is kept, and more than a pipe holds, blocks no process.
        @Test func `a server may print as much as it wants`() throws {
            let world = try ProgramWorld(
                [
                    "sh", "-c", "head -c 9000000 /dev/zero | tr '\\0' x; exec \"$@\"", "sh",
                ] + Self.python)
            let output = try run([Binaries.ipv6check, "-v", "--world", world.world, "--"] + Self.client)
            expectPass(output)
            #expect((1_000_000..<1_100_000).contains(output.standardError.utf8.count))
        }

        @Test(arguments: User.available) func `a preparation that fails is told, and no client runs`(user: User) throws
        {
            let world = try ProgramWorld(Self.python, "prepare: [sh, -c, \"echo disk full; exit 7\"]")
            let output = try run([Binaries.ipv6check, "--world", world.world, "--", "echo", "ran"], as: user)
            #expect(output.status == 5 && output.text.isEmpty, output.told)
            #expect(
                output.standardError.contains(
                    "cannot offer run of t.test. at 198.51.100.90 port 9000: its prepare command ended with exit 7 (disk full)"
                ), output.told)
        }

        private static let hasPostgreSQL =
            !((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []).isEmpty

        @Test(.enabled(if: hasPostgreSQL, "needs postgresql"), arguments: User.available)
        func `PostgreSQL serves, made anew`(user: User) throws {
            let output = try run(
                [
                    Binaries.ipv6check, "suite",
                    Binaries.root.appending(path: "fixtures/clients/postgresql/ipv6check.yaml").path,
                ], as: user, seconds: 240)
            #expect(output.status == 0, output.told)
        }
    }
}
