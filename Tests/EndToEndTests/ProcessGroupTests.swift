// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Clients that signal their process group or their parents.
    @Suite struct ProcessGroupTests {
        /// A program that makes its parent trace it, as some do to block debuggers: from then on each signal stops it.
        private static let selfTraced: String = {
            let path = Binaries.scratch.appending(path: "self-traced").path
            let source = """
                #include <signal.h>
                #include <sys/ptrace.h>
                int main(void) { ptrace(PTRACE_TRACEME, 0, 0, 0); raise(SIGSTOP); return 0; }
                """
            _ = try? run(["bash", "-c", "gcc -x c -o '\(path)' -"], input: Data(source.utf8))
            return path
        }()

        /// Runs a command with no signal blocked: the threads of the tests' runtime block some, and their children inherit that.
        private func runHeeding(_ command: [String], as user: User = .available[0]) throws -> Output {
            let program = """
                import os, signal, sys
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                os.execvp(sys.argv[1], sys.argv[1:])
                """
            return try run(["python3", "-c", program] + user.prefix + command, as: .root, seconds: 30)
        }

        /// The remaining processes of a client that started `sleep 7117.n`; each test has a different `n`.
        private func left(_ number: Int) throws -> String {
            try run(["bash", "-c", "sleep 0.2; pgrep -f '^sleep 7117.\(number)$'; true"]).text
        }

        // MARK: - Stops

        static let stops: [[String]] = [
            ["bash", "-c", "sleep 7117.1 & kill -STOP 0"],
            ["bash", "-c", "sleep 7117.1 & kill -STOP $$"],
            ["bash", "-c", "sleep 7117.1 & kill -TSTP 0; sleep 7117.1"],
            ["bash", "-c", "trap '' TERM HUP; setsid sleep 7117.1 & kill -STOP 1 $PPID; kill -STOP 0"],
            ["perl", "-e", "kill STOP => -getpgrp; sleep 100"],
            ["python3", "-c", "import os, signal; os.killpg(os.getpgrp(), signal.SIGSTOP)"],
        ]

        @Test(arguments: stops, User.available)
        func `a client that stops its group is ended by the time limit`(_ client: [String], _ user: User) throws {
            try expectTimeout(client, as: user)
        }

        @Test(arguments: ["never", "always"], User.available)
        func `a client that has itself traced, and stops, is ended by the time limit`(
            _ trace: String, _ user: User
        ) throws {
            try expectTimeout(["--trace", trace, "--", Self.selfTraced], as: user)
        }

        @Test func `a traced client that stops its group is ended by the time limit`() throws {
            try expectTimeout(
                ["--trace", "always", "--", "bash", "-c", "sleep 7117.1 & kill -STOP 0"], as: .available[0])
        }

        /// The client stops on dual-stack as well, so the case is broken, and the report names the reason.
        @Test func `a suite's client that stops its group is ended by the time limit`() throws {
            let folder = try SuiteFolder("  - { name: stopped, timeout: 2s, command: 'sleep 7117.1 & kill -STOP 0' }")
            let output = try folder.suite()
            #expect(output.outcomes == ["stopped@nat64": "BROKEN"] && output.status == 3, output.told)
            #expect(output.standardError.contains("TIME-OUT"), output.told)
            #expect(try left(1).isEmpty)
        }

        private func expectTimeout(
            _ client: [String], as user: User, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let start = ContinuousClock.now
            let output = try runHeeding([Binaries.ipv6check, "--once", "--timeout", "2"] + client, as: user)
            #expect(output.status == 124, Comment(rawValue: output.standardError), sourceLocation: sourceLocation)
            #expect(output.standardError.contains("TIME-OUT"), sourceLocation: sourceLocation)
            #expect(ContinuousClock.now - start < .seconds(10), sourceLocation: sourceLocation)
            #expect(try left(1).isEmpty, sourceLocation: sourceLocation)
        }

        @Test func `a stopped client hears that its runner is told to end`() throws {
            let flag = Binaries.scratch.appending(path: "stopping-\(UUID().uuidString)").path
            let output = try runHeeding(
                [
                    "bash", "-c",
                    """
                    '\(Binaries.ipv6check)' bash -c 'trap "echo bye; exit 0" TERM; touch \(flag); kill -STOP 0; sleep 0.1' & runner=$!
                    until [ -e \(flag) ]; do sleep 0.05; done; sleep 0.3; kill -TERM $runner; wait $runner; echo $?
                    """,
                ])
            #expect(output.text == "bye\n143\n", Comment(rawValue: output.standardError))
        }

        // MARK: - Kills

        @Test(arguments: User.available)
        func `a client that kills its group has its own verdict`(_ user: User) throws {
            let script = "trap 'kill 0' EXIT; sleep 7117.2 & curl -fsS http://shop.test/; exit"
            let terminated = try runHeeding([Binaries.ipv6check, "--once", "bash", "-c", script], as: user)
            #expect(terminated.standardError.contains("killed by SIGTERM"))
            let killed = try runHeeding(
                [Binaries.ipv6check, "--once", "python3", "-c", "import os, signal; os.killpg(0, signal.SIGKILL)"],
                as: user)
            #expect(killed.standardError.contains("killed by SIGKILL"))
            let kept = try ipv6check("--once", "perl", "-e", "$SIG{TERM} = 'IGNORE'; kill TERM => -getpgrp", as: user)
            expectPass(kept)
            #expect(try left(2).isEmpty)
        }

        @Test func `a client that ends its children by its group passes`() throws {
            let script = "trap \"trap '' TERM; kill 0\" EXIT; sleep 7117.3 & curl -fsS http://shop.test/; exit"
            expectPass(try ipv6check("bash", "-c", script))
            expectPass(try ipv6check("--trace", "always", "bash", "-c", script))
            #expect(try left(3).isEmpty)
        }

        // MARK: - Healthy clients

        /// `setsid` keeps its process only if that does not lead its group, as in a script.
        @Test(arguments: [
            "exec setsid curl -fsS http://shop.test/", "timeout 20 curl -fsS http://shop.test/",
            "set -m; sleep 0.3 & curl -fsS http://shop.test/ && wait %1",
            "python3 -c 'import os; os.setsid(); os.execvp(\"curl\", [\"curl\", \"-fsS\", \"http://shop.test/\"])'",
        ])
        func `groups and sessions of the client's own work`(_ script: String) throws {
            let output = try ipv6check("bash", "-c", script)
            expectPass(output)
            #expect(!output.text.isEmpty)
        }

        // MARK: - Signals to the runner's group

        @Test func `a signal to the runner's group is one to the client's`() throws {
            // A shell runs its trap only after the program that it waits for has ended.
            let client = "trap 'echo bye; exit 0' TERM; echo ready; sleep 20; exit 1"
            let output = try runHeeding(["timeout", "2", Binaries.ipv6check, "sh", "-c", client])
            #expect(output.status == 124)
            #expect(output.text == "ready\nbye\n", Comment(rawValue: output.standardError))
        }

        @Test func `a stop of the runner's group is one of the client's`() throws {
            let output = try runHeeding(
                [
                    "bash", "-c",
                    """
                    set -m
                    '\(Binaries.ipv6check)' -q bash -c 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.5; done' & runner=$!
                    sleep 1.2; kill -TSTP -$runner; sleep 0.2; echo stopped; sleep 1.5; echo on; kill -CONT -$runner; wait $runner
                    """,
                ])
            let lines = output.text.split(separator: "\n")
            let stop = try #require(lines.firstIndex(of: "stopped"))
            #expect(stop < 5 && lines.dropFirst(stop + 1).first == "on", Comment(rawValue: output.text))
            #expect(lines.last == "6")
        }

        // MARK: - Suites

        @Test func `a case that stops or kills its group stops no other`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: stopped, command: "sleep 7117.4 & kill -STOP 0" }
                  - { name: killed, command: "sleep 7117.4 & kill -KILL 0" }
                  - { name: traced, command: "\(Self.selfTraced)" }
                  - { name: healthy, command: "curl -fsS http://shop.test/" }
                """, head: "defaults: { timeout: 2s }")
            let output = try folder.suite(seconds: 60)
            #expect(output.status != 0)
            let text = output.standardError
            #expect(text.contains("stopped after 2.0"), Comment(rawValue: text))
            #expect(text.contains(#/killed@nat64.*\n(.*\n)*?.*SIGKILL/#), Comment(rawValue: text))
            #expect(text.contains(#/PASS +healthy@nat64/#), Comment(rawValue: text))
            #expect(try left(4).isEmpty)
        }

        @Test func `a case with servers that stops or kills its group ends as it does without`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: stopped, needs: [idle], command: "sleep 7117.5 & kill -STOP 0" }
                  - { name: killed, needs: [idle], command: "sleep 7117.5 & kill -KILL 0" }
                  - { name: own-session, needs: [idle], command: [setsid, curl, -fsS, "http://shop.test/"], expect: { stdout: { matches: "." } } }
                """,
                head: """
                    defaults: { timeout: 2s, grace: 1s }
                    servers:
                      idle: { in: client, command: [sh, -c, "exec sleep 7117.5"], ready: { file: /dev/null } }
                    """)
            let output = try folder.suite(seconds: 60)
            let text = output.standardError
            #expect(text.contains("stopped after 2.0"), Comment(rawValue: text))
            #expect(text.contains(#/killed@nat64.*\n(.*\n)*?.*SIGKILL/#), Comment(rawValue: text))
            #expect(text.contains(#/PASS +own-session@nat64/#), Comment(rawValue: text))
            #expect(try left(5).isEmpty)
        }
    }
}
