// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Sandbox

/// Drives a shell in its own terminal, starts the probe in it, and reacts to its output.
@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `In a terminal` {
    /// Types each step after its text was shown, and waits for the last text. The probe may print its own line after its client's first
    /// prompt.
    private func converse(_ steps: [(wait: String, type: String)], until last: String, account: Account) throws
        -> String
    {
        let words =
            ["outer> $", #"\#(steps[0].type)\n"#]
            + steps.dropFirst().flatMap { [$0.wait, $0.type] } + [last, ""]
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let result = try Probe(
            ["@@"], account: account,
            shell:
                "exec python3 -c '\(TerminalDialogue.driver.replacing("'", with: #"'"'"'"#))' \"$1\" @@ \(quoted) 2>&1"
        ).result()
        #expect(result.code == 0, Comment(rawValue: result.output + result.errors))
        return result.output
    }

    @Test(arguments: Account.all, ["dash", "bash --norc --noediting"])
    func `a shell has job control, and gives the terminal back`(account: Account, shell: String) throws {
        let seen = try converse(
            [
                (wait: "", type: "PROBE \(shell)"), (wait: "outer> ", type: #"sleep 1000\n"#),
                (wait: "sleep 1000", type: #"\x1a"#),
                (wait: "Stopped", type: #"fg\n"#), (wait: "sleep 1000", type: #"\x03"#),
                (wait: "outer> $", type: #"exit 5\n"#), (wait: "outer> $", type: #"echo code $?\n"#),
            ], until: "code 5\r", account: account)
        #expect(!seen.contains("Cannot set tty"))
    }

    @Test(arguments: Account.all)
    func `a shell that stops itself is stopped with the runner, and goes on with it`(account: Account) throws {
        _ = try converse(
            [
                (wait: "", type: "PROBE dash"), (wait: "outer> ", type: #"kill -STOP $$\n"#),
                (wait: "Stopped", type: #"fg\n"#), (wait: "SandboxProbe(.|\n)*outer> ", type: #"exit 5\n"#),
                (wait: "outer> $", type: #"echo code $?\n"#),
            ], until: "code 5\r", account: account)
    }

    @Test(arguments: Account.all)
    func `a script gets the terminal back from a shell`(account: Account) throws {
        _ = try converse(
            [
                (wait: "", type: #"sh -c "PROBE bash --norc --noediting; read x; echo got \\$x""#),
                (wait: "outer> ", type: #"exit\n"#), (wait: "microseconds.*\n", type: #"hello\n"#),
                (wait: "got hello", type: ""), (wait: "outer> $", type: #"echo code $?\n"#),
            ], until: "code 0\r", account: account)
    }

    @Test(arguments: Account.all)
    func `a client is stopped with the runner, and goes on with it`(account: Account) throws {
        _ = try converse(
            [
                (wait: "", type: #"PROBE sh -c "echo rea""dy; sleep 1; echo wo""ke; exit 5""#),
                (wait: "ready", type: #"\x1a"#),
                (wait: "Stopped", type: #"sleep 1.5; echo later; fg\n"#), (wait: "later\r", type: ""),
                (wait: "woke", type: ""), (wait: "outer> $", type: #"echo code $?\n"#),
            ], until: "code 5\r", account: account)
    }

    @Test(arguments: Account.all)
    func `an interrupt reaches the client`(account: Account) throws {
        _ = try converse(
            [
                (wait: "", type: #"PROBE sh -c "echo rea""dy; exec sleep 1000""#), (wait: "ready", type: #"\x03"#),
                (wait: "outer> $", type: #"echo code $?\n"#),
            ], until: "code 130\r", account: account)
    }

    @Test(arguments: Account.all)
    func `a part of a pipeline stays in its process group`(account: Account) throws {
        _ = try converse(
            [
                (wait: "", type: #"PROBE sh -c "echo rea""dy; sleep 1; echo wo""ke" | cat"#),
                (wait: "ready", type: #"\x1a"#),
                (wait: "Stopped", type: #"fg\n"#), (wait: "woke", type: ""),
                (wait: "outer> $", type: #"echo code $?\n"#),
            ], until: "code 0\r", account: account)
    }
}
