import Foundation
import Testing

extension EndToEnd {
    /// The verdict and the exit code.
    @Suite struct VerdictTests {
        @Test(arguments: User.available) func aLiteralFailsHereAndWorksOnDualStack(_ user: User) throws {
            let output = try ipv6check("curl", "-fsS", "http://198.51.100.10/", as: user)
            #expect(output.status == 1)
            #expect(output.standardError.contains("the same command works on dual-stack"))
            #expect(output.standardError.contains("V6C-001"))
            #expect(output.text.isEmpty, "the control run's output is not the client's")
        }

        @Test func aProgramThatFailsEverywhereIsNotBlamedOnIPv6() throws {
            let output = try ipv6check("false")
            #expect(output.status == 3)
            #expect(output.standardError.contains("on dual-stack too"))
        }

        @Test func aProgramThatDoesNotExistIsAUsageError() throws {
            let output = try ipv6check("nosuchprogram")
            #expect(output.status == 2)
            #expect(
                output.standardError
                    == "ipv6check: nosuchprogram: not found; give a program of PATH, or a path such as ./nosuchprogram\n"
            )
        }

        @Test func aProgramThatIsNotExecutableIsAUsageError() throws {
            let file = Binaries.scratch.appending(path: "text")
            try Data("text".utf8).write(to: file)
            let output = try ipv6check(file.path)
            #expect(output.status == 2)
            #expect(output.standardError.contains("chmod +x"))
        }

        @Test func withoutAClientThereIsNothingToRun() throws {
            let output = try ipv6check()
            #expect(output.status == 4)
            #expect(output.standardError.contains("ipv6check curl -fsS http://shop.test/"))
        }

        @Test func aClientThatHangsIsEnded() throws {
            let output = try ipv6check("--timeout", "0.5", "sleep", "60")
            #expect(output.status == 124)
            #expect(output.standardError.contains("TIME-OUT"))
        }

        @Test func withoutControlRunAFailureIsOne() throws {
            let output = try ipv6check("--control", "never", "false")
            #expect(output.status == 1)
            #expect(output.standardError.contains("not compared"))
        }

        @Test func dualStackCanBeAskedFor() throws {
            let output = try ipv6check("--network", "dual-stack", "curl", "-fsS", "http://198.51.100.10/ip")
            expectPass(output)
            #expect(try ipv6check("--network", "dual-stack", "false").status == 3)
        }

        @Test func quietSaysNothingOfAPassAndOneLineOfAFailure() throws {
            #expect(try ipv6check("--quiet", "true").standardError.isEmpty)
            let failure = try ipv6check("--quiet", "false")
            #expect(failure.standardError.split(separator: "\n").count == 1)
        }
    }
}
