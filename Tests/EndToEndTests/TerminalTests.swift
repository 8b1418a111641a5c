// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ipv6check` in an interactive shell and its scripts.
    @Suite struct TerminalTests {
        private let program = Binaries.ipv6check

        /// Types the command when the shell is ready, and the text of each step once its pattern has been shown.
        /// - Parameter last: the pattern to wait for at the end.
        private func converse(
            _ command: String, _ steps: (wait: String, type: String)..., until last: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let words = ["outer> $", command + "\\n"] + steps.flatMap { [$0.wait, $0.type] } + [last, ""]
            let output = try run(["python3", "-c", TerminalDialogue.driver, "@@"] + words, seconds: 60)
            #expect(output.status == 0, Comment(rawValue: output.standardError), sourceLocation: sourceLocation)
        }

        /// The path of a script file, as the script in quotes would need too many quotation marks.
        private func script(_ text: String) throws -> String {
            let path = Binaries.scratch.appending(path: "\(UUID().uuidString).sh").path
            try Data((text + "\n").utf8).write(to: URL(filePath: path))
            return path
        }

        /// A script that prints "ready", reads a line, and prints it.
        private func reader() throws -> String { try script("echo ready; read x; echo got $x") }

        private let status = (wait: "outer> $", type: #"echo code ${PIPESTATUS[0]}\n"#)

        // MARK: - A client alone

        @Test func `a client reads the terminal`() throws {
            try converse(
                "\(program) -q python3 -c \"print('got', input('name? '))\"", ("name\\? $", "joe\\n"), ("got joe", ""),
                status, until: "code 0\r")
        }

        @Test(arguments: [(#"\x03"#, 130), (#"\x1c"#, 131)])
        func `an interrupt cancels the run`(_ typed: String, _ code: Int) throws {
            try converse(
                "\(program) sh -c 'echo rea\"\"dy; exec sleep 100'", ("ready", typed), status, until: "code \(code)\r")
        }

        @Test func `an interrupt that the client makes a failure of is no failure`() throws {
            let client = try script("trap 'exit 1' INT; echo ready; sleep 100")
            try converse("\(program) bash \(client)", ("ready", #"\x03"#), status, until: "code 130\r")
        }

        @Test func `a client that goes on after an interrupt has its own verdict`() throws {
            let client = try script("trap 'echo caught; exit 0' INT; echo ready; sleep 100")
            try converse("\(program) -q bash \(client)", ("ready", #"\x03"#), ("caught", ""), status, until: "code 0\r")
        }

        @Test func `a stopped client gives the shell the terminal, and gets it back`() throws {
            try converse(
                "\(program) -q bash \(try reader())", ("ready", #"\x1a"#), ("Stopped", #"echo th''ere; fg\n"#),
                ("there", #"\n"#), ("got", ""), status, until: "code 0\r")
        }

        @Test func `a stopped client goes on in the background`() throws {
            let client = try script("echo ready; sleep 1; echo woke")
            try converse(
                "\(program) -q --once bash \(client)", ("ready", #"\x1a"#), ("Stopped", #"bg\n"#), ("woke", #"\n"#),
                until: "Done")
        }

        @Test func `a client that stops itself is stopped for the shell, where there is no time limit`() throws {
            let client = try script("kill -STOP $$; echo woke")
            try converse("\(program) -q bash \(client)", ("Stopped", #"fg\n"#), until: "woke")
        }

        @Test(arguments: ["STOP", "TSTP"])
        func `a client that stops itself is ended by the time limit`(_ signal: String) throws {
            let client = try script("kill -\(signal) 0; sleep 100")
            try converse("\(program) -q --once --timeout 2 bash \(client)", status, until: "code 124\r")
        }

        // MARK: - With others

        @Test func `a client in a pipeline reads the terminal`() throws {
            try converse(
                "\(program) -q bash \(try reader()) | cat", ("ready", #"joe\n"#), ("got joe", ""), status,
                until: "code 0\r")
        }

        @Test func `a pipeline is stopped and goes on`() throws {
            try converse(
                "\(program) -q bash \(try reader()) | cat", ("ready", #"\x1a"#), ("Stopped", #"fg\n"#),
                ("cat\r", #"joe\n"#), ("got joe", ""), status, until: "code 0\r")
        }

        @Test func `a pipeline is interrupted`() throws {
            try converse(
                "\(program) sh -c 'echo rea\"\"dy; exec sleep 100' | cat", ("ready", #"\x03"#), status,
                until: "code 130\r")
        }

        /// Like `less`, which reads keys while the client runs.
        @Test func `another member of the pipeline reads the terminal`() throws {
            let pager = try script("read x; echo page $x; read key </dev/tty; echo key $key; cat")
            try converse(
                "\(program) -q sh -c 'echo one; sleep 2; echo two' | bash \(pager)", ("page one", #"q\n"#),
                ("key q", ""), ("two", ""), status, until: "code 0\r")
        }

        @Test func `a script reads the terminal before and after`() throws {
            let script = try script("read x; echo first $x; \(program) -q bash \(try reader()); read y; echo last $y")
            try converse(
                "bash \(script)", ("bash .*\n", #"a\n"#), ("first a\r\nready", #"b\n"#), ("got b", #"c\n"#),
                until: "last c")
        }

        @Test func `an interrupt of a client that has the terminal ends the script as well`() throws {
            let client = try script("echo ready; read x; echo got $x; sleep 100")
            let script = try script("for i in 1 2 3; do \(program) -q bash \(client); done; echo EN''D")
            try converse(
                "bash \(script)", ("ready", #"joe\n"#), ("got joe", #"\x03"#), ("outer> $", #"echo code $?\n"#),
                until: "^echo code \\$\\?\r\ncode 130\r")
        }

        /// A runner ended by SIGKILL cannot give the terminal back; its guard does.
        @Test func `a killed runner leaves the terminal to its script`() throws {
            let client = try script("read x; echo got $x; sleep 100")
            let outer = try script(
                """
                { sleep 3; kill -KILL $(cat $0.pid); } </dev/null &
                sh -c "echo \\$\\$ >$0.pid; exec \(program) -q bash \(client)"
                sleep 1; echo again; read y; echo last $y
                """)
            try converse("bash \(outer)", ("bash .*\n", #"a\n"#), ("got a", ""), ("again", #"b\n"#), until: "last b")
        }

        // MARK: - In the background

        @Test func `a client in the background that reads the terminal is stopped until it is in the foreground`()
            throws
        {
            try converse(
                "\(program) -q bash \(try reader()) &", ("ready", #"\n"#), ("Stopped", #"fg\n"#),
                ("ipv6check.*\n", #"joe\n"#), until: "got joe")
        }

        @Test func `a client in the background that reads the terminal is ended by the time limit`() throws {
            try converse(
                "\(program) -q --once --timeout 2 bash \(try reader()) & wait $!; echo code $?", until: "code 124\r")
        }

        @Test func `a client in the background with a time limit gets the terminal in the foreground`() throws {
            try converse(
                "\(program) -q --once --timeout 20 bash \(try reader()) &", ("ready", #"fg\n"#),
                ("ipv6check.*\n", #"joe\n"#), until: "got joe")
        }

        @Test func `a hang-up passes by what nohup started`() throws {
            try converse(
                "nohup \(program) -q sleep 2 >/dev/null 2>&1 & until grep -q ipv6check /proc/$!/comm; do sleep 0.1; done; kill -HUP $!; wait $!; echo code $?",
                until: "code 0\r")
        }

        @Test func `a session of its own has no terminal, and works`() throws {
            try converse(
                "setsid -w \(program) -q curl -fsS -o /dev/null http://shop.test/; echo code $?", until: "code 0\r")
        }
    }
}
