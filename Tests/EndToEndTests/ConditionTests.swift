// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Conditions as clients see them: as root and as an ordinary user, in the run's own simulator.
    @Suite struct `Conditions of the network` {
        private struct Report: Decodable {
            struct Counts: Decodable {
                var packets: Int
                var late: Int
                var lost: Int
            }
            struct Conditions: Decodable {
                var written: [String]
                var down: Counts
                var up: Counts
            }
            struct Run: Decodable {
                var network: String
                var conditions: Conditions?
            }
            var runs: [Run]
        }

        private func check(_ options: [String], _ client: String..., user: User = .root) throws -> (Output, Report) {
            // A folder that an ordinary user may write to.
            let folder = FileManager.default.temporaryDirectory.appending(path: "conditions-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let json = folder.appending(path: "report.json")
            let output = try run(
                [Binaries.ipv6check, "--json", json.path] + options + ["--"] + client, as: user, seconds: 90)
            return (output, try JSONDecoder().decode(Report.self, from: Data(contentsOf: json)))
        }

        /// The minimum round-trip time in milliseconds, from ping's output.
        private func roundTrip(_ output: Output) throws -> Double {
            let match = try #require(output.text.firstMatch(of: #/rtt min\/avg\/max\/mdev = ([0-9.]+)\//#), output.told)
            return try #require(Double(match.1))
        }

        @Test(arguments: User.available) func `a delay is there in both directions, and the control run has it`(
            user: User
        ) throws {
            let (output, report) = try check(
                ["--conditions", "delay=100ms", "--control", "always"], "ping", "-c", "2", "-i", "0.3", "echo.test",
                user: user)
            expectPass(output)
            #expect(try (200..<400).contains(roundTrip(output)), output.told)
            #expect(report.runs.map(\.network) == ["nat64", "nat64", "dual-stack"])
            for run in report.runs {
                let conditions = try #require(run.conditions)
                #expect(conditions.written == ["delay=100ms"] && conditions.down.late > 0 && conditions.up.late > 0)
            }
            #expect(output.standardError.contains("conditions  nat64: delay=100ms: to the client of "), output.told)
        }

        @Test func `one network alone has them`() throws {
            let (output, report) = try check(
                ["--conditions", "dual-stack:delay=1s", "--control", "always"], "ping", "-c", "1", "echo.test")
            expectPass(output)
            #expect(report.runs[0].conditions == nil && report.runs[2].conditions?.up.late ?? 0 > 0)
        }

        @Test(arguments: User.available) func `a rate holds up what is large`(user: User) throws {
            let (output, _) = try check(
                ["--conditions", "rate=2mbit"], "curl", "-fsS", "-o", "/dev/null", "-w", "%{time_total}",
                "http://shop.test/bytes/250000", user: user)
            expectPass(output)
            // Two million bits, plus headers.
            let time = try #require(Double(output.text))
            #expect((1...6).contains(time), output.told)
        }

        @Test(arguments: User.available) func `each client of a daemon has its own, at the same time`(user: User) throws
        {
            let daemon = try RunningDaemon(as: user)
            defer { daemon.end() }
            let check = "'\(Binaries.ipv6check)' --once --simulator unix:\(daemon.folder.path)/attach.sock"
            let output = try run(
                [
                    "sh", "-c",
                    """
                    \(check) --conditions delay=50ms ping -c 4 -i 0.3 echo.test | grep -o 'time=[0-9.]*' | sed s/^/late:/ &
                    \(check) ping -c 4 -i 0.3 echo.test | grep -o 'time=[0-9.]*' | sed s/^/at-once:/
                    wait
                    \(check) --conditions ltee true
                    """,
                ], as: user)
            func times(_ client: String) -> [Double] {
                output.text.split(separator: "\n").filter { $0.hasPrefix(client) }
                    .compactMap { $0.split(separator: "=").last.flatMap { Double($0) } }
            }
            #expect(times("late").count == 4 && times("late").allSatisfy { $0 >= 100 }, output.told)
            #expect(times("at-once").count == 4 && (times("at-once").min() ?? 100) < 50, output.told)
            #expect(output.status == 2 && output.standardError.contains("did you mean lte?"), output.told)
            #expect(output.standardError.contains("delay=50ms"), output.told)
        }

        @Test func `all is lost where all is to be lost, and the client is not blamed`() throws {
            let (output, report) = try check(
                ["--conditions", "100%-loss"], "curl", "-fsS", "--max-time", "2", "http://shop.test/")
            #expect(output.status == 3, output.told)
            let conditions = try #require(report.runs[0].conditions)
            #expect(conditions.up.lost == conditions.up.packets && conditions.down.packets == 0)
            #expect(output.standardError.contains("× condition-loss"), output.told)
            #expect(output.standardError.contains("no IPv6 problem shown"), output.told)
        }

        @Test func `nothing passes in an outage, and everything after it`() throws {
            let (output, report) = try check(
                ["--conditions", "down=0s-1s"], "sh", "-c",
                "curl -sS --max-time 0.5 http://[64:ff9b::c633:640a]/ip; sleep 1; curl -fsS http://[64:ff9b::c633:640a]/ip"
            )
            expectPass(output)
            #expect(report.runs[0].conditions?.up.lost ?? 0 > 0, output.told)
        }

        @Test func `a slow DNS is slow, and the rest is not`() throws {
            let (output, _) = try check(
                ["--conditions", "dns-delay=1s"], "curl", "-fsS", "-o", "/dev/null", "-w",
                "%{time_namelookup} %{time_total}", "http://shop.test/")
            expectPass(output)
            let times = output.text.split(separator: " ").compactMap { Double($0) }
            #expect(times.count == 2 && times[0] >= 1 && times[1] - times[0] < 0.9, output.told)
        }

        @Test func `a lossy and late link does not change what a client gets`() throws {
            let (output, _) = try check(
                ["--conditions", "delay=10ms,jitter=5ms,loss=2%,reorder=2%,duplicate=2%,corrupt=1%"], "sh", "-c",
                "curl -fsS http://shop.test/bytes/300000 | sha256sum")
            expectPass(output)
            let expected = try run([
                "sh", "-c", "'\(Binaries.ipv6check)' --quiet -- curl -fsS http://shop.test/bytes/300000 | sha256sum",
            ])
            #expect(output.text == expected.text)
        }

        @Test func `a link that flaps under load leaves nothing behind`() throws {
            let seconds = ProcessInfo.processInfo.environment["IPV6CHECK_LONG_TESTS"] == "1" ? 60 : 3
            let before = try run(["ip", "-o", "link"])
            let (output, report) = try check(
                ["--once", "--conditions", "flap=10ms"], "timeout", "\(seconds)", "sh", "-c",
                "ping -f -i 0.002 64:ff9b::c633:6407 > /dev/null & while :; do curl -sS --max-time 1 -o /dev/null http://shop.test/bytes/100000; done"
            )
            #expect(output.status != 5, output.told)
            let counts = try #require(report.runs[0].conditions).up
            #expect(counts.lost > 100 && counts.lost < counts.packets, output.told)
            #expect(try run(["ip", "-o", "link"]).text == before.text)
        }

        @Test func `a suite's tests have conditions`() throws {
            let file = Binaries.scratch.appending(path: "conditions.yaml")
            try """
            version: 1
            name: conditions
            defaults: { conditions: "delay=50ms" }
            tests:
              - { name: late, command: "ping -c 1 echo.test" , expect: { stdout: { matches: "time=1[0-9][0-9]" } } }
              - { name: at-once, command: "ping -c 1 echo.test", conditions: ["nat64:delay=0ms"], expect: { stdout: { matches: "time=[0-9]?[0-9]?\\\\." } } }
            """.write(to: file, atomically: true, encoding: .utf8)
            let output = try run([Binaries.ipv6check, "suite", file.path])
            #expect(output.status == 0, output.told)
        }

        @Test(arguments: [
            (["--conditions", "ltee"], "did you mean lte?"), (["--conditions", "loss=1"], "give a percentage"),
            (["--conditions", "nat65:lte"], "no network nat65"), (["--conditions", ""], "no conditions"),
        ])
        func `what cannot be is refused`(options: [String], message: String) throws {
            let output = try run([Binaries.ipv6check] + options + ["true"])
            #expect(output.status == 2 && output.standardError.contains(message), output.told)
        }
    }
}
