// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

extension EndToEnd {
    /// A small stack (`ulimit -s`) is inherited, and used to end the programs with SIGSEGV.
    @Suite struct StackLimitTests {
        private func started(_ program: String, kibibytes: Int) throws -> Output {
            try run(["sh", "-c", "ulimit -s \(kibibytes); exec \"$@\"", "sh", program, "--version"])
        }

        @Test(arguments: [64, 128])
        func `a stack that is too small is said`(kibibytes: Int) throws {
            for program in [Binaries.ipv6check, Binaries.nat64sim] {
                let output = try started(program, kibibytes: kibibytes)
                #expect(output.status == 5)
                #expect(output.standardError.contains(": its stack may have \(kibibytes) KiB here"), output.told)
                #expect(output.standardError.split(separator: "\n").count == 1, output.told)
            }
        }

        @Test func `what is enough is enough for a whole run`() throws {
            let script = "ulimit -s 512; exec \"$0\" --once curl -fsS http://shop.test/"
            let output = try run(["sh", "-c", script, Binaries.ipv6check])
            #expect(output.status == 0, output.told)
        }
    }
}
