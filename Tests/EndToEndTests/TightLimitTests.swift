// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Limits that are too low end in a message and exit code 5, not in a hang or a signal.
    @Suite struct TightLimitTests {
        private func under(_ limit: String, as user: User) throws -> Output {
            try run(
                ["bash", "-c", "ulimit \(limit); exec \"$@\"", "bash", Binaries.ipv6check, "-q", "--", "true"],
                as: user,
                seconds: 30)
        }

        private func expectMessage(_ output: Output, _ limit: String) {
            #expect(output.status == 5, "ulimit \(limit)")
            #expect(output.standardError.hasPrefix("ipv6check: "), Comment(rawValue: output.standardError))
        }

        /// The limit counts all processes of the user, so a number that is enough today may not be tomorrow.
        @Test func `few processes`() throws {
            for limit in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24] {
                let output = try under("-u \(limit)", as: .ordinary)
                if output.status != 0 || limit < 8 { expectMessage(output, "-u \(limit)") }
            }
        }

        @Test(arguments: User.available) func `little address space`(_ user: User) throws {
            // Below 100,000 KiB the kernel has no room for a release's executable, and ends it before its first instruction.
            for limit in stride(from: 100_000, through: 400_000, by: 20_000) {
                let output = try under("-v \(limit)", as: user)
                // 127: the dynamic loader has no room for the libraries.
                if output.status != 0 && output.status != 127 { expectMessage(output, "-v \(limit)") }
            }
            #expect(try under("-v 8000000", as: user).status == 0)
        }

        @Test(arguments: User.available, [0, 1]) func `small files`(_ user: User, limit: Int) throws {
            // Standard error goes through a pipe, to which the limit on files does not apply.
            let output = try run(
                [
                    "bash", "-c", "ulimit -f \(limit); exec \"$@\" 2> >(cat >&2)", "bash", Binaries.ipv6check, "-q",
                    "--",
                    "true",
                ], as: user, seconds: 30)
            #expect(output.status == 5)
        }

        @Test(arguments: User.available) func `few open files`(_ user: User) throws {
            for limit in [10, 12, 16, 20, 24, 32, 48] {
                let output = try under("-n \(limit)", as: user)
                if output.status != 127 { expectMessage(output, "-n \(limit)") }
            }
            #expect(try under("-n 64", as: user).status == 0)
        }

        @Test(needsRoot, arguments: User.available) func `no proc`(_ user: User) throws {
            let command = (user.prefix + ["$@"]).map { "\"\($0)\"" }.joined(separator: " ")
            let output = try run(
                [
                    "unshare", "-m", "sh", "-c", "while umount -l /proc; do :; done 2>/dev/null; exec \(command)", "sh",
                    Binaries.ipv6check, "-q",
                    "--", "true",
                ])
            #expect(output.status == 5)
            let asRoot = user.prefix.isEmpty ? "" : "as root: "
            #expect(
                output.standardError == "ipv6check: /proc is not mounted here; fix: \(asRoot)mount -t proc proc /proc\n"
            )
        }
    }
}
