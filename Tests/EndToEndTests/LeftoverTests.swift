// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A run leaves nothing behind on the machine, however it ends.
    @Suite struct LeftoverTests {
        /// The things that could be left behind: namespaces, interfaces, mounts and temporary files.
        private struct Machine: Equatable {
            var namespaces: Set<String>
            var interfaces: Set<String>
            var mounts: Int
            var temporaryFiles: Set<String>

            static func look() throws -> Machine {
                let list = try run(["lsns", "-n", "-r", "-o", "NS,TYPE"]).text
                let namespaces = list.split(separator: "\n").filter {
                    $0.hasSuffix("net") || $0.hasSuffix("user") || $0.hasSuffix("mnt")
                }
                let files = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
                return Machine(
                    namespaces: Set(namespaces.map(String.init)),
                    interfaces: Set(try FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")),
                    mounts: try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).split(separator: "\n")
                        .count,
                    temporaryFiles: Set(
                        files.filter {
                            !$0.hasPrefix("ipv6check-tests") && !$0.hasPrefix("ipv6check-output")
                                && $0.contains("ipv6check")
                        }))
            }

            /// Expects the same state as before, and waits for the kernel, which tears namespaces down in the background.
            static func expect(_ before: Machine, sourceLocation: SourceLocation = #_sourceLocation) throws {
                _ = try comesTrue { try look() == before }
                #expect(try look() == before, sourceLocation: sourceLocation)
            }
        }

        /// Runs `client` in a shell, sends `signal` to the runner (or to its process group, as a terminal does), and lists all
        /// remaining processes: runner, launcher, client and descendants are identified by a unique environment variable.
        private func leftAfter(_ signal: String, client: String, toGroup: Bool, user: User) throws -> String {
            let program = #"""
                import os, secrets, signal, subprocess, sys, time
                number, to_group, *command = sys.argv[1:]
                mark = "IPV6CHECK_TEST=" + secrets.token_hex(8)

                def left():
                    found = []
                    for pid in filter(str.isdigit, os.listdir("/proc")):
                        try:
                            with open(f"/proc/{pid}/environ", "rb") as file:
                                if mark.encode() in file.read().split(b"\0"):
                                    with open(f"/proc/{pid}/cmdline", "rb") as line:
                                        found.append(pid + " " + line.read().replace(b"\0", b" ").decode())
                        except OSError:
                            pass
                    return found

                # Whoever started us may have us ignore or block it, and the client would inherit that.
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                name, value = mark.split("=")
                runner = subprocess.Popen(
                    command, env={**os.environ, name: value}, start_new_session=True, stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                runner.stdout.readline()
                (os.killpg if to_group == "true" else os.kill)(runner.pid, getattr(signal, "SIG" + number))
                deadline = time.monotonic() + 5
                runner.wait(timeout=10)
                while left() and time.monotonic() < deadline:
                    time.sleep(0.05)
                print("\n".join(left()), end="")
                """#
            let command = user.prefix + [Binaries.ipv6check, "--", "sh", "-c", client]
            let output = try run(
                ["python3", "-c", program, signal, "\(toGroup)"] + command, seconds: 30)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            return output.text
        }

        @Test(arguments: User.available) func `a normal end leaves nothing`(_ user: User) throws {
            let before = try Machine.look()
            expectPass(try ipv6check("curl", "-fsS", "https://shop.test/", as: user))
            try Machine.expect(before)
        }

        @Test(arguments: User.available) func `a client that leaves a daemon behind is tidied up`(_ user: User) throws {
            let before = try Machine.look()
            let marker = "3\(UInt16.random(in: 10000...50000))"
            let output = try ipv6check("sh", "-c", "setsid sh -c 'sleep \(marker) & exit' & exit 0", as: user)
            expectPass(output)
            #expect(try run(["pgrep", "-x", "-f", "sleep \(marker)"]).text.isEmpty)
            try Machine.expect(before)
        }

        @Test(arguments: User.available) func `killing the runner leaves nothing`(_ user: User) throws {
            let before = try Machine.look()
            let client = "setsid sleep 300 & trap '' TERM INT; echo ready; while :; do sleep 1; done"
            let left = try leftAfter("KILL", client: client, toGroup: false, user: user)
            #expect(left.isEmpty, Comment(rawValue: left))
            try Machine.expect(before)
        }

        @Test(arguments: User.available) func `an interrupt leaves nothing`(_ user: User) throws {
            let before = try Machine.look()
            let left = try leftAfter("INT", client: "echo ready; exec sleep 300", toGroup: true, user: user)
            #expect(left.isEmpty, Comment(rawValue: left))
            try Machine.expect(before)
        }
    }
}
