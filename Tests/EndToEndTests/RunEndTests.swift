// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Every way that a run can end: it must end soon, with a message and the right exit code.
    @Suite struct RunEndTests {
        private func script(_ name: String, _ contents: Data) throws -> String {
            let file = Binaries.scratch.appending(path: name)
            try contents.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            return file.path
        }

        private func script(_ name: String, _ text: String) throws -> String { try script(name, Data(text.utf8)) }

        /// Runs `ipv6check` and expects it to end within some seconds, with this exit code and message.
        private func expectEnd(
            _ arguments: [String], status: Int32, message: String, as user: User = .available[0],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let start = ContinuousClock.now
            let output = try run([Binaries.ipv6check] + arguments, as: user, seconds: 20)
            #expect(ContinuousClock.now - start < .seconds(6), sourceLocation: sourceLocation)
            #expect(output.status == status, Comment(rawValue: output.standardError), sourceLocation: sourceLocation)
            #expect(
                output.standardError.contains(message), Comment(rawValue: output.standardError),
                sourceLocation: sourceLocation)
        }

        // MARK: - Clients that cannot be run

        @Test(arguments: User.available)
        func `a client that the kernel does not execute is a usage error, and no hang`(_ user: User) throws {
            let program = try Data(contentsOf: URL(filePath: "/bin/true"))
            let loader = Data("/lib64/ld-linux-x86-64.so.2".utf8)
            var loaderless = program
            if let place = program.range(of: loader) {
                loaderless.replaceSubrange(place, with: Data("/lib64/no-linux-x86-64.so.2".utf8))
            }
            let unreadable = "no program for this machine, and no script"
            let missing = "interpreter or dynamic loader does not exist"
            for (client, message) in [
                (try script("no-first-line", "echo hi\n"), unreadable),
                (try script("windows-line-ends", "#!/bin/sh\r\necho hi\r\n"), missing),
                (try script("no-interpreter", "#!/no/such/interpreter\n"), missing),
                (try script("damaged", program.prefix(100)), unreadable),
                (try script("no-loader", loaderless), missing),
            ] {
                try expectEnd([client], status: 2, message: message, as: user)
                try expectEnd(["--getaddrinfo", "linux", client], status: 2, message: message, as: user)
            }
        }

        @Test func `a capture that cannot be written ends the run with a message`() throws {
            try expectEnd(
                ["--pcap", "/no/such/folder/x.pcap", "true"], status: 2, message: "--pcap /no/such/folder/x.pcap")
            try expectEnd(
                ["--pcap", "/dev/full", "curl", "-sS", "http://shop.test/"], status: 2,
                message: "No space left on device")
        }

        @Test
        func `a report that cannot be written ends the run with a message, and before the client where that shows`()
            throws
        {
            try expectEnd(
                ["--json", "/no/such/folder/x.json", "true"], status: 2, message: "--json /no/such/folder/x.json")
            try expectEnd(["--json", "/dev/full", "true"], status: 2, message: "No space left on device")
        }

        /// Its second run writes elsewhere.
        @Test(arguments: [(">/dev/full", "standard output is full"), (">&-", "standard output is closed")])
        func `a program that cannot write its output is not green`(redirection: String, message: String) throws {
            let output = try run([
                "bash", "-c", "\"$0\" curl -fsS http://shop.test/ \(redirection)", Binaries.ipv6check,
            ])
            #expect(output.status == 2 && output.standardError.contains(message), output.told)
            let healthy = try run([
                "bash", "-c", "\"$0\" curl -fsS -o /dev/null http://shop.test/ \(redirection)", Binaries.ipv6check,
            ])
            #expect(healthy.status == 0, healthy.told)
        }

        // MARK: - Cancelled

        /// Sends the runner a signal while its client runs, and then the second one, if any. Returns its exit status (minus the
        /// signal's number, as in Python), the seconds until its end, and its report.
        private func signalled(
            _ first: String, client: String, second: String? = nil, options: [String] = []
        ) throws -> (status: Int, seconds: Double, report: String) {
            let program = #"""
                import signal, subprocess, sys, time
                first, second, *command = sys.argv[1:]
                # The threads of the tests' own runtime block signals, and their children inherit that.
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                runner = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                assert runner.stdout.readline().strip() == b"ready", runner.stderr.read()
                start = time.monotonic()
                runner.send_signal(getattr(signal, first))
                if second:
                    time.sleep(0.4)
                    runner.send_signal(getattr(signal, second))
                _, report = runner.communicate(timeout=30)
                print(runner.returncode, time.monotonic() - start, report.decode().replace("\n", "⏎"))
                """#
            let output = try run(
                ["python3", "-c", program, first, second ?? "", Binaries.ipv6check] + options + [
                    "sh", "-c", client,
                ])
            let words = output.text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            try #require(words.count == 3, Comment(rawValue: output.standardError))
            return (
                try #require(Int(words[0])), try #require(Double(words[1])),
                words[2].trimmingCharacters(in: .whitespacesAndNewlines)
            )
        }

        @Test(arguments: [("SIGTERM", -15), ("SIGHUP", -1), ("SIGINT", -2), ("SIGQUIT", -3)])
        func `a run that is cancelled is not judged, and not compared`(_ signal: String, _ status: Int) throws {
            let end = try signalled(signal, client: "echo ready; exec sleep 30")
            #expect(end.status == status)
            #expect(end.report.isEmpty)
            // It once took two seconds, as the runner waited for the simulator's process, which waited for the runner.
            #expect(end.seconds < 1.5)
        }

        @Test func `a cancelled client may clean up, and its own status changes nothing`() throws {
            let folder = Binaries.scratch.appending(path: "cleaned-\(UUID().uuidString)")
            let end = try signalled(
                "SIGTERM", client: "trap 'sleep 0.5; mkdir \(folder.path); exit 0' TERM; echo ready; sleep 30 & wait")
            #expect(end.status == -15)
            #expect(FileManager.default.fileExists(atPath: folder.path))
            #expect(end.report.isEmpty)
        }

        @Test func `a client that will not end is killed after some seconds, or by a second signal`() throws {
            let stubborn = "trap '' TERM HUP INT; echo ready; sleep 30; sleep 30"
            let patient = try signalled("SIGTERM", client: stubborn)
            #expect(patient.status == -15)
            #expect((4.5...8).contains(patient.seconds))
            let insisting = try signalled("SIGTERM", client: stubborn, second: "SIGTERM")
            #expect(insisting.status == -15)
            #expect(insisting.seconds < 3)
        }

        @Test func `a control run can be cancelled as well`() throws {
            let flag = Binaries.scratch.appending(path: "cancel-\(UUID().uuidString)").path
            // The client fails at once on an IPv6-only network, and creates the flag on the other.
            let client = "ip -4 route get 198.51.100.10 >/dev/null 2>&1 || exit 1; echo ready > \(flag); sleep 30"
            let output = try run([
                "bash", "-c",
                """
                '\(Binaries.ipv6check)' bash -c '\(client)' & runner=$!
                for i in $(seq 200); do [ -e \(flag) ] && break; sleep 0.05; done
                kill -TERM $runner; wait $runner; echo $?
                """,
            ])
            #expect(output.text == "143\n")
            #expect(!output.standardError.contains("FAIL"))
        }

        @Test func `timeout gets what it gets of any command`() throws {
            let output = try run(["timeout", "1", Binaries.ipv6check, "sleep", "30"])
            #expect(output.status == 124)
            #expect(output.standardError.isEmpty)
        }

        @Test func `a background job of a script does not hear what it was started to ignore`() throws {
            let output = try run([
                "bash", "-c",
                """
                trap '' HUP
                '\(Binaries.ipv6check)' sleep 1 & runner=$!
                sleep 0.5; kill -HUP $runner; wait $runner; echo $?
                """,
            ])
            #expect(output.text == "0\n")
        }

        // MARK: - A closed reader

        @Test func `a client whose reader has gone is not judged`() throws {
            let output = try run([
                "bash", "-c", "'\(Binaries.ipv6check)' bash -c yes | head -1; echo ${PIPESTATUS[0]}",
            ])
            #expect(output.text == "y\n141\n")
            #expect(output.standardError.isEmpty)
        }

        @Test func `a broken connection is a failure like any other`() throws {
            let client = """
                import signal, socket, os
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                a, b = socket.socketpair(); b.close(); a.send(b"x")
                """
            let output = try ipv6check("python3", "-c", client)
            #expect(output.status == 3)
            #expect(output.standardError.contains("killed by SIGPIPE"))
        }

        @Test func `a report that nobody reads does not change the code`() throws {
            let output = try run([
                "bash", "-c", "'\(Binaries.ipv6check)' false 2> >(exec true); echo $?",
            ])
            #expect(output.text == "3\n")
        }

        // MARK: - Runs that are repeated

        @Test func `a client that fails once is flaky, and no IPv6 problem`() throws {
            let flag = Binaries.scratch.appending(path: "flaky-\(UUID().uuidString)").path
            let report = Binaries.scratch.appending(path: "flaky-\(UUID().uuidString).json").path
            let client = "curl -fsS http://shop.test/ >/dev/null && { [ -e \(flag) ] || { touch \(flag); exit 1; }; }"
            let output = try ipv6check("--json", report, "sh", "-c", client)
            #expect(output.status == 0)
            #expect(output.standardError.contains("FLAKY"))
            #expect(output.standardError.contains("failed once and passed once on nat64"))
            #expect(!output.standardError.contains("dual-stack"), "there is nothing left to compare")
            #expect(try String(contentsOfFile: report, encoding: .utf8).contains(#""verdict" : "flaky""#))
        }

        @Test func `a client runs three times at most, and once where that is asked for`() throws {
            let log = Binaries.scratch.appending(path: "runs-\(UUID().uuidString)")
            func runs(_ options: String...) throws -> Int {
                try? FileManager.default.removeItem(at: log)
                _ = try run([Binaries.ipv6check] + options + ["sh", "-c", "echo x >> \(log.path); exit 1"])
                return try String(contentsOf: log, encoding: .utf8).count { $0 == "x" }
            }
            #expect(try runs() == 3)
            #expect(try runs("--once") == 1)
            #expect(try runs("--control", "never") == 2)
        }

        @Test func `nothing is concluded from a repeat that finds another input`() throws {
            let client = "read line && [ \"$line\" = hello ] || exit 0; exit 1"
            let piped = try run(["bash", "-c", "echo hello | '\(Binaries.ipv6check)' sh -c '\(client)'"])
            #expect(piped.status == 1)
            #expect(piped.standardError.contains("not compared with dual-stack"))
            #expect(piped.standardError.contains("cannot be read twice"))
            let fromFile = try ipv6check("sh", "-c", client, input: Data("hello\n".utf8))
            #expect(fromFile.status == 3)
            // No process read from standard input.
            let unread = try run(["bash", "-c", "echo hello | '\(Binaries.ipv6check)' false"])
            #expect(unread.status == 3)
        }

        @Test func `a control run that goes on is stopped with the time limit, and that is said`() throws {
            let client = "ip -4 route get 198.51.100.10 >/dev/null 2>&1 || exit 1; sleep 30"
            let output = try ipv6check("--timeout", "1", "bash", "-c", client)
            #expect(output.status == 1)
            #expect(output.standardError.contains("on dual-stack it was still running when it was stopped"))
        }

        /// A server ends here, and serves there.
        @Test func `a control run that goes on is stopped after half a minute where no limit is given`() throws {
            let client = "curl -s http://198.51.100.10/ >/dev/null || exit 1; sleep 300"
            let output = try ipv6check("bash", "-c", client)
            #expect(output.status == 1)
            #expect(output.standardError.contains("V6C-001"))
            #expect(output.standardError.contains("on dual-stack it was still running when it was stopped"))
            #expect(output.standardError.contains(#/dual-stack  stopped after 30\.\d+ s/#))
        }

        @Test func `a client that works here and fails on dual-stack does not pass in silence`() throws {
            let output = try ipv6check(
                "--control", "always", "bash", "-c", "! ip -4 route get 198.51.100.10 >/dev/null 2>&1")
            #expect(output.status == 0)
            #expect(output.standardError.contains("works on nat64, and fails on dual-stack"))
        }

        @Test func `the report can have standard output to itself`() throws {
            let output = try ipv6check("--json", "-", "echo", "of the client")
            #expect(output.status == 0)
            #expect(output.text.hasPrefix("{\n") && output.text.hasSuffix("}\n"))
            #expect(output.standardError.contains("of the client"))
        }

        // MARK: - A daemon that ends

        @Test func `a daemon that dies ends the runs of its clients`() throws {
            let daemon = try RunningDaemon()
            let flag = "\(daemon.folder.path)/started"
            let output = try run(
                [
                    "bash", "-c",
                    """
                    '\(Binaries.ipv6check)' --simulator unix:'\(daemon.folder.path)/attach.sock' sh -c 'touch \(flag); sleep 30' & runner=$!
                    until [ -e \(flag) ]; do sleep 0.05; done; kill -KILL \(daemon.processIdentifier); wait $runner; echo $?
                    """,
                ], seconds: 15)
            #expect(output.text == "5\n")
            #expect(output.standardError.contains("the simulator closed the connection"))
        }

        @Test(arguments: [true, false]) func `a daemon that freezes does not freeze its clients`(_ isEarly: Bool) throws
        {
            let daemon = try RunningDaemon()
            let simulator = try #require(daemon.simulator)
            let flag = "\(daemon.folder.path)/started"
            defer { kill(simulator, SIGCONT) }
            if isEarly { kill(simulator, SIGSTOP) }
            let start = ContinuousClock.now
            let output = try run(
                [
                    "bash", "-c",
                    """
                    '\(Binaries.ipv6check)' --simulator unix:'\(daemon.folder.path)/attach.sock' sh -c 'touch \(flag); sleep 2' & runner=$!
                    \(isEarly ? ":" : "until [ -e \(flag) ]; do sleep 0.05; done"); kill -STOP \(simulator); wait $runner
                    """,
                ], seconds: 15)
            #expect(output.status == 5)
            #expect(output.standardError.contains("the simulator does not answer"))
            #expect(ContinuousClock.now - start < .seconds(9))
        }
    }
}
