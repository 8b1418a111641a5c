// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The two processes of `nat64sim serve`.
    @Suite struct ConfinedDaemonTests {
        private func status(of process: Int32) throws -> [String: [String]] {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let lines = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            return Dictionary(lines.map { ($0[0], Array($0.dropFirst())) }, uniquingKeysWith: { $1 })
        }

        private static let capabilitySets = ["CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"]
        private static let none = "0000000000000000"

        @Test(needsRoot, arguments: User.available)
        func `what serves has no rights, no files, and a filter of system calls`(_ user: User) throws {
            let daemon = try RunningDaemon(as: user)
            let simulator = try #require(daemon.simulator)
            let status = try status(of: simulator)
            for set in Self.capabilitySets { #expect(status[set] == [Self.none], "\(set)") }
            #expect(status["Seccomp:"] == ["2"])
            #expect(status["NoNewPrivs:"] == ["1"])
            #expect(status["Uid:"] == Array(repeating: "65534", count: 4))
            #expect(status["Gid:"] == Array(repeating: "65534", count: 4))
            #expect(try run(["ls", "-A", "/proc/\(simulator)/root/"], as: .root).text.isEmpty)
            #expect(!daemon.log.contains("confined less"))
        }

        @Test(needsRoot, arguments: User.available)
        func `its parent has one thread, and no right but to end it`(_ user: User) throws {
            let daemon = try RunningDaemon(as: user)
            let status = try status(of: daemon.processIdentifier)
            let right = "0000000000000020"
            for set in ["CapPrm:", "CapEff:"] { #expect(status[set] == [right], "\(set)") }
            for set in ["CapInh:", "CapAmb:", "CapBnd:"] { #expect(status[set] == [Self.none], "\(set)") }
            #expect(status["NoNewPrivs:"] == ["1"])
            #expect(status["Threads:"] == ["1"])
        }

        /// Makes the calls inside the process itself, by ptrace, as code injected by a client would.
        @Test(needsRoot, arguments: User.available)
        func `no call is possible in it that is not in the table`(_ user: User) throws {
            #if arch(x86_64)
                let daemon = try RunningDaemon(as: user)
                let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/SandboxProbe"
                let output = try run([probe, "scan-in", "\(try #require(daemon.simulator))"], as: .root)
                try #require(output.status == 0, Comment(rawValue: output.standardError))
                let outcomes = output.standardError.split(separator: "\n").map(String.init)
                #expect(outcomes.count > 500)
                // clone3 returns ENOSYS; uretprobe and uprobe pass every filter (docs/security.md).
                let others = outcomes.filter {
                    !$0.hasSuffix(": \(-EPERM)") && !["435:", "335:", "336:"].contains($0.prefix(4))
                }
                #expect(others == [])
                // The process still works after that.
                expectPass(try daemon.check("curl", "-fsS", "http://shop.test/", as: user))
                #expect(daemon.end() == 0)
            #endif
        }

        /// As in a Docker container, where AppArmor forbids mounts. It may not make a namespace either, which a veth pair needs.
        @Test(needsRoot, needsTUN) func `it has no files where nothing can be mounted`() throws {
            let folder = Binaries.scratch.appending(path: "unmounted-\(UUID().uuidString.prefix(8))").path
            let rights = "-all,+net_admin,+net_bind_service,+setuid,+setgid,+setpcap,+sys_chroot,+kill"
            let output = try run([
                "unshare", "--net", "sh", "-c",
                """
                mkdir \(folder)
                setpriv --bounding-set=\(rights) \(Binaries.nat64sim) serve --sockets \(folder) 2>\(folder)/log & daemon=$!
                until grep -q ' ready ' \(folder)/log; do sleep 0.05; done
                simulator=$(pgrep -x simulator -P $daemon)
                grep Uid /proc/$simulator/status
                ls -A /proc/$simulator/root/ || echo nothing
                kill $daemon
                wait $daemon
                echo $?
                grep 'confined less' \(folder)/log
                """,
            ])
            #expect(
                output.text == "Uid:\t65534\t65534\t65534\t65534\nnothing\n0\n", Comment(rawValue: output.standardError)
            )
        }

        /// As in a container with the default seccomp filter of Docker or containerd, which permits mounts with CAP_SYS_ADMIN but
        /// refuses pivot_root to all.
        @Test(needsRoot) func `it has no files where the root cannot be exchanged`() throws {
            let refusing = #"""
                import ctypes, os, platform, struct, sys
                number = {"x86_64": 155, "aarch64": 41}[platform.machine()]
                # The call's number; if it is pivot_root's, EPERM; else it is permitted.
                lines = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)]
                code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
                # PR_SET_SECCOMP with SECCOMP_MODE_FILTER
                assert ctypes.CDLL(None).prctl(22, 2, struct.pack("HP", len(lines), ctypes.addressof(code)), 0, 0) == 0
                os.execvp(sys.argv[1], sys.argv[1:])
                """#
            let folder = Binaries.scratch.appending(path: "unpivoted-\(UUID().uuidString.prefix(8))").path
            let output = try run(
                [
                    "python3", "-c", refusing, "sh", "-c",
                    """
                    mkdir \(folder)
                    \(Binaries.nat64sim) serve --sockets \(folder) 2>\(folder)/log & daemon=$!
                    until grep -q ' ready ' \(folder)/log; do sleep 0.05; done
                    simulator=$(pgrep -x simulator -P $daemon)
                    ls -A /proc/$simulator/root/ && echo nothing
                    kill $daemon
                    wait $daemon
                    echo $?
                    grep 'confined less' \(folder)/log
                    """,
                ])
            #expect(output.text == "nothing\n0\n", Comment(rawValue: output.standardError))
        }

        @Test(arguments: User.available)
        func `the daemon ends with what serves and says so`(_ user: User) throws {
            let daemon = try RunningDaemon(as: user)
            kill(try #require(daemon.simulator), SIGKILL)
            daemon.waitUntilGone()
            #expect(daemon.end() == 5)
            #expect(
                daemon.log.hasSuffix(
                    "\nnat64sim: the simulator's process was killed by signal 9, and its clients' networks with it\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path) == ["log"])
        }

        @Test(arguments: User.available)
        func `what serves ends with the daemon`(_ user: User) throws {
            let daemon = try RunningDaemon(as: user)
            let simulator = try #require(daemon.simulator)
            daemon.send(SIGKILL)
            daemon.waitUntilGone()
            #expect(comesTrue { kill(simulator, 0) != 0 })
        }

        @Test func `the signals of its own change nothing for what serves`() throws {
            let daemon = try RunningDaemon()
            let simulator = try #require(daemon.simulator)
            for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1] { kill(simulator, signal) }
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/"))
            #expect(daemon.end() == 0)
        }

        @Test func `a simulator that hangs does not keep the daemon from its end`() throws {
            let daemon = try RunningDaemon()
            kill(try #require(daemon.simulator), SIGSTOP)
            let start = ContinuousClock.now
            #expect(daemon.end() == 0)
            #expect(ContinuousClock.now - start < .seconds(5.5))
            #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path) == ["log"])
        }

        @Test func `where it dies during the start the daemon is never ready and leaves nothing`() throws {
            let folder = Binaries.scratch.appending(path: "dying-\(UUID().uuidString.prefix(8))").path
            let output = try run([
                "sh", "-c",
                """
                mkdir \(folder)
                \(Binaries.nat64sim) serve --sockets \(folder) 2>\(folder)/log & daemon=$!
                until simulator=$(pgrep -x simulator -P $daemon); do :; done
                kill -STOP $simulator
                timeout 1 \(Binaries.nat64sim) status --socket \(folder)/control.sock >/dev/null 2>&1 && echo ready
                kill -KILL $simulator
                wait $daemon
                echo $?
                cat \(folder)/log
                rm \(folder)/log
                ls -A \(folder)
                """,
            ])
            #expect(
                output.text == """
                    5
                    nat64sim: the simulator's process was killed by signal 9, and its clients' networks with it

                    """, Comment(rawValue: output.standardError))
        }

        @Test func `files with mistakes come and go while clients attach`() throws {
            let daemon = try RunningDaemon("prefix: 64:ff9b::/96")
            let one = "\(Binaries.ipv6check) -q --simulator unix:\(daemon.folder.path)/attach.sock"
            let file = daemon.configurationFile.path
            let output = try run(
                [
                    "sh", "-c",
                    """
                    for i in $(seq 16); do { \(one) curl -fsS http://shop.test/ >/dev/null; echo $?; } & done
                    for i in $(seq 6); do
                        echo 'nonsense: 1' >\(file); kill -HUP \(daemon.processIdentifier); sleep 0.2
                        rm \(file); kill -HUP \(daemon.processIdentifier); sleep 0.2
                    done
                    wait
                    """,
                ], seconds: 120)
            #expect(output.text == String(repeating: "0\n", count: 16), Comment(rawValue: output.standardError))
            #expect(daemon.log.contains("reload failed, keeping the current configuration: "))
            #expect(daemon.log.contains("there is no such file"))
            #expect(!daemon.log.contains("configuration reloaded"))
            try daemon.write("prefix: 2001:db8:64::/96")
            daemon.send(SIGHUP)
            #expect(daemon.waitForLog("configuration reloaded"), Comment(rawValue: daemon.log))
            #expect(daemon.end() == 0)
        }

        @Test(arguments: User.available)
        func `programs of the world are the daemon's`(_ user: User) throws {
            let world = Binaries.scratch.appending(path: "programs-\(user).yaml")
            try Data(
                """
                version: 1
                hosts:
                  who.test:
                    addresses: [198.51.100.22]
                    services:
                      run: { port: 7, command: [sh, -c, "head -c 4; ps -o comm= -p $(ps -o ppid= -p $PPID)"] }
                """.utf8
            ).write(to: world)
            let daemon = try RunningDaemon("world: \(world.path)", as: user)
            let output = try daemon.check(
                "bash", "-c", "exec 3<>/dev/tcp/who.test/7; echo -n 'hey,' >&3; cat <&3", as: user)
            expectPass(output)
            #expect(output.text == "hey,nat64sim\n")
            let simulator = try #require(daemon.simulator)
            #expect(daemon.end() == 0)
            #expect(kill(simulator, 0) != 0)
        }

        @Test func `the log of the queries goes where the daemon was told`() throws {
            let file = Binaries.scratch.appending(path: "queries-\(UUID().uuidString.prefix(8))").path
            let daemon = try RunningDaemon(options: ["--dns-log", file])
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/"))
            #expect(daemon.end() == 0)
            let log = try String(contentsOfFile: file, encoding: .utf8)
            #expect(log.contains("shop.test AAAA rd → NOERROR AAAA 64:ff9b::c633:640a"))
        }
    }
}
