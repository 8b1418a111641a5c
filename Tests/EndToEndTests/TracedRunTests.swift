// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Runs whose system calls are traced: everything else must be the same.
    @Suite struct TracedRunTests {
        /// Connects to an IPv4 literal, over IPv4 only.
        private static let literal = """
            import socket
            socket.create_connection(("198.51.100.10", 80), 5).close()
            """

        @Test(arguments: User.available, ["never", "on-failure", "always"])
        func `the verdict does not depend on tracing`(_ user: User, _ when: String) throws {
            let client = ["python3", "-c", Self.literal]
            let output = try run(
                [Binaries.ipv6check, "--trace", when, "--getaddrinfo", "linux", "--"] + client, as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-001"))
            #expect(!output.standardError.contains("could not be traced"), Comment(rawValue: output.standardError))
        }

        @Test(
            arguments: User.available,
            [
                ["curl", "-fsS", "-o", "/dev/null", "http://shop.test/"], ["ping", "-c", "1", "-W", "2", "shop.test"],
                ["getent", "ahosts", "shop.test"],
                ["bash", "-c", "sleep 0.2 & kill -STOP $!; sleep 0.1; kill -CONT $!; wait $!"],
                ["sh", "-c", "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done"],
            ])
        func `a client that passes does so when it is traced`(_ user: User, _ client: [String]) throws {
            expectPass(try run([Binaries.ipv6check, "--trace", "always", "--"] + client, as: user))
        }

        /// A traced process cannot be traced by another program: strace fails in the second run, whatever the network is.
        @Test(.enabled(if: isInstalled("strace"), "needs strace"), arguments: User.available)
        func `a client that is a tracer itself is judged by runs that leave it alone`(_ user: User) throws {
            let output = try run(
                [
                    Binaries.ipv6check, "--getaddrinfo", "linux", "--", "strace", "-f", "-o", "/dev/null", "python3",
                    "-c",
                    Self.literal,
                ], as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(
                output.standardError.contains("passes on dual-stack")
                    || output.standardError.contains("works on dual-stack"))
            #expect(output.standardError.contains("--trace never leaves it alone"))
        }

        @Test func `a signal reaches a client that is traced, and cancels its run`() throws {
            let flag = Binaries.scratch.appending(path: "traced-\(UUID().uuidString)").path
            // The tests' threads may block signals, and their children inherit that.
            let unblocking =
                "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp(sys.argv[1], sys.argv[1:])"
            let output = try run([
                "python3", "-c", unblocking, "bash", "-c",
                """
                '\(Binaries.ipv6check)' --trace always bash -c 'trap "echo bye; exit 0" TERM; touch \(flag); sleep 30 & wait' &
                runner=$!
                for i in $(seq 200); do [ -e \(flag) ] && break; sleep 0.05; done
                kill -TERM $runner; wait $runner; echo $?
                """,
            ])
            #expect(output.text == "bye\n143\n", Comment(rawValue: output.standardError))
        }

        /// The kernel kills the traced processes of a dead runner (PTRACE_O_EXITKILL): without a tracer their calls would fail with ENOSYS.
        @Test func `nothing of a traced client outlives its runner`() throws {
            let flag = Binaries.scratch.appending(path: "orphan-\(UUID().uuidString)").path
            let output = try run([
                "bash", "-c",
                """
                '\(Binaries.ipv6check)' --trace always bash -c 'setsid sleep 31.4159 & touch \(flag); sleep 31.4159' &
                runner=$!
                for i in $(seq 200); do [ -e \(flag) ] && break; sleep 0.05; done
                kill -KILL $runner; wait $runner
                for i in $(seq 100); do pgrep -f '^sleep 31.4159' >/dev/null || break; sleep 0.05; done
                pgrep -c -f '^sleep 31.4159'
                """,
            ])
            #expect(output.text == "0\n")
        }

        @Test func `twenty at once are traced`() throws {
            let output = try run([
                "bash", "-c",
                """
                for i in $(seq 20); do
                    '\(Binaries.ipv6check)' -q --trace always curl -fsS -o /dev/null http://shop.test/ &
                    runners="$runners $!"
                done
                for runner in $runners; do wait $runner || echo failed; done
                """,
            ])
            #expect(output.text.isEmpty, Comment(rawValue: output.standardError))
        }
    }
}
