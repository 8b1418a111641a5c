// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The process that reads the client's packets, in a real run.
    @Suite struct ConfinedRunTests {
        /// Runs a client that sleeps, and meanwhile a script: `$runner` and `$simulator` are process IDs.
        private func during(_ script: String, as user: User, arguments: String = "sleep 3") throws -> Output {
            try run(
                [
                    "bash", "-c",
                    """
                    \(user.prefix.joined(separator: " ")) \(Binaries.ipv6check) -q \(arguments) &
                    runner=$!
                    for _ in $(seq 100); do
                        simulator=$(pgrep -x simulator -P $runner) && grep -q '^Seccomp:.*2' /proc/$simulator/status && break
                        sleep 0.05
                    done
                    sleep 0.3
                    \(script)
                    """,
                ])
        }

        @Test(needsRoot, arguments: User.available)
        func `a guard that is stopped keeps no run from its end, and does not stay`(_ user: User) throws {
            let output = try during(
                """
                guard=$(pgrep -x guard -P $runner) || exit 90
                kill -STOP $guard
                wait $runner || exit $?
                kill -0 $guard 2>/dev/null && exit 91
                exit 0
                """, as: user)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
        }

        @Test(needsRoot, arguments: User.available)
        func `it has no rights, no files, and a filter of system calls`(_ user: User) throws {
            let output = try during("cat /proc/$simulator/status; ls -A /proc/$simulator/root; wait $runner", as: user)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            let lines = output.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            var status: [String: [String]] = [:]
            for line in lines where line.first?.hasSuffix(":") == true { status[line[0]] = Array(line.dropFirst()) }
            // The listing of its root is empty.
            #expect(lines.last?.first?.hasSuffix(":") == true)
            for set in ["CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"] {
                #expect(status[set] == ["0000000000000000"], "\(set)")
            }
            #expect(status["Seccomp:"] == ["2"])
            #expect(status["NoNewPrivs:"] == ["1"])
            #expect(status["Uid:"] == Array(repeating: "65534", count: 4))
            #expect(status["Gid:"] == Array(repeating: "65534", count: 4))
        }

        @Test(needsRoot, arguments: User.available, ["never", "always"])
        func `the runner says so at once if it is killed, be the client traced or not`(
            _ user: User, tracing: String
        ) throws {
            let start = ContinuousClock.now
            let output = try during(
                "kill -9 $simulator; wait $runner", as: user, arguments: "--trace \(tracing) sleep 30")
            #expect(ContinuousClock.now - start < .seconds(15))
            #expect(output.status == 5)
            #expect(
                output.standardError
                    == "ipv6check: the simulator's process was killed by signal 9; nothing is known of this run\n")
        }

        @Test(needsRoot, arguments: User.available)
        func `it ends with the runner`(_ user: User) throws {
            let output = try during(
                """
                kill -9 $runner
                for _ in $(seq 40); do [ -d /proc/$simulator ] || break; sleep 0.05; done
                [ ! -d /proc/$simulator ]
                """, as: user, arguments: "sleep 30")
            #expect(output.status == 0)
        }

        @Test func `a server may take its time`() throws {
            let output = try ipv6check("curl", "-fsS", "http://shop.test/delay/1500")
            expectPass(output)
            #expect(output.text == "1500 ms later\n")
        }

        @Test func `a capture may go into a pipe`() throws {
            let output = try run([
                "bash", "-c",
                "\(Binaries.ipv6check) -q --pcap >(wc -c >&2) curl -sS -o /dev/null http://shop.test/; sleep 0.5",
            ])
            #expect(output.status == 0)
            #expect((Int(output.standardError.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 1000)
        }
    }
}
