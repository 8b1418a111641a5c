// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Clients that leave processes behind, or take their network away.
    @Suite struct LifetimeTests {
        @Test(arguments: User.available)
        func `what outlives the client is ended and named, in both reports`(_ user: User) throws {
            let file = Binaries.scratch.appending(path: "survivors-\(UUID().uuidString).json")
            let output = try ipv6check(
                "--json", file.path, "bash", "-c", "setsid sleep 7774 & sleep 0.1; kill -9 $PPID", as: user)
            expectPass(output)
            #expect(output.standardError.contains("Killed leftover process: sleep (3)."))
            let report = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let record = try #require((report["runs"] as? [[String: Any]])?.first)
            let survivors = try #require(record["survivors"] as? [String: Any])
            #expect((survivors["processes"] as? [[String: Any]])?.first?["name"] as? String == "sleep")
            #expect(survivors["omitted"] as? Int == 0)
            #expect(try run(["pgrep", "-x", "-f", "sleep 7774"]).text.isEmpty)
        }

        @Test func `who is on the way out when the client ends is not called left over`() throws {
            let output = try ipv6check("--", "sh", "-c", "sleep 0.06 & exit 0")
            expectPass(output)
            #expect(!output.standardError.contains("Killed leftover"))
        }

        /// Runs a shell script and returns its standard error and the CPU time of it and its children, in seconds.
        private func measured(_ script: String) throws -> (text: String, processorTime: Double) {
            let output = try run([
                "bash", "-c", "TIMEFORMAT='processor %U %S'; time { \(script); }", "bash", Binaries.ipv6check,
            ])
            let line = try #require(output.standardError.split(separator: "\n").last { $0.hasPrefix("processor ") })
            return (output.standardError, line.split(separator: " ").dropFirst().compactMap { Double($0) }.reduce(0, +))
        }

        @Test(needsRoot) func `a client that deletes its link keeps no thread busy, and the report says so`() throws {
            let (text, time) = try measured("$1 -- sh -c 'ip link del eth0; sleep 4; true'")
            #expect(text.contains("The client deleted its link (eth0) after "))
            #expect(time < 2, "seconds of processor time")
        }

        @Test(needsRoot) func `the world's link can go as well`() throws {
            let flag = Binaries.scratch.appending(path: "started-\(UUID().uuidString)").path
            let (text, time) = try measured(
                "$1 -- sh -c 'touch \(flag); sleep 5; true' & until [ -e \(flag) ]; do sleep 0.05; done; nsenter -t $! -n ip link del nat64; wait"
            )
            #expect(text.contains("The link to the world was deleted after "))
            #expect(time < 2.5, "seconds of processor time")
        }

        @Test(arguments: User.available) func `an end of the run is no deletion of its link`(_ user: User) throws {
            for _ in 0..<20 {
                #expect(try !ipv6check("true", as: user).standardError.contains("deleted"))
            }
        }
    }
}
