// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Foundation
import NAT64
import Sandbox
import Simulator
import Testing
import Topology
import Translation
import ConfigurationText

@testable import CheckRunner

@Suite struct `What is prepared of the options` {
    private static let environment = Environment(entries: ["PATH=/usr/bin:/bin"])

    private func prepared(
        _ environment: Environment = environment, _ change: (inout CheckOptions) -> Void = { _ in }
    ) throws -> ResolvedOptions {
        var options = CheckOptions()
        options.command = ["sh", "-c", "exit"]
        change(&options)
        return try ResolvedOptions(options, environment)
    }

    /// The error message for the options, which must be a usage error.
    private func objection(
        _ environment: Environment = environment, _ change: (inout CheckOptions) -> Void
    ) throws -> String {
        let failure = try #require(throws: CheckFailure.self) { _ = try prepared(environment, change) }
        #expect(failure.exitCode == .usage)
        return failure.description
    }

    @Test func `without options it is the demo world on links of 1500 octets`() throws {
        let prepared = try prepared()
        #expect(prepared.links == LinkPlan(clientMTU: 1500, worldMTU: 1500))
        #expect(prepared.world.hosts == World.demo.hosts)
        #expect(prepared.simulatorPath == nil && prepared.capturePath == nil)
    }

    @Test func `a command keeps the octets that were typed`() {
        let typed = [OSString("ipv6check"), "--", "cat", OSString([0x66, 0xff])]
        #expect(ResolvedOptions.words(["cat", "f\u{fffd}"], typed: typed) == Array(typed[2...]))
        #expect(ResolvedOptions.words(["cat", "other"], typed: typed) == ["cat", "other"], "from a file")
        #expect(ResolvedOptions.words(["cat"], typed: []) == ["cat"])
    }

    @Test func `the program is found in PATH, and its arguments are as they were given`() throws {
        let prepared = try prepared()
        #expect(["/usr/bin/sh", "/bin/sh"].contains(prepared.program))
        #expect(prepared.arguments == ["sh", "-c", "exit"])
    }

    @Test func `a program that is not there may be a command of ours`() throws {
        let text = try objection {
            $0.command = ["doctr"]
            $0.subcommands = ["doctor", "shell"]
        }
        #expect(text.hasPrefix("doctr: not found (did you mean ipv6check doctor?)"))
        #expect(try objection { $0.command = ["./nothing-here"] }.hasPrefix("./nothing-here: not found; give"))
        #expect(try objection { $0.command = ["/"] }.hasPrefix("/: is a directory"))
        #expect(try objection { $0.command = ["/etc/passwd"] }.contains("chmod +x /etc/passwd"))
    }

    private struct Choice: CustomTestStringConvertible {
        let option: String
        let give: @Sendable (inout CheckOptions) -> Void
        var testDescription: String { option }
    }

    private static let choicesOfTheSimulator = [
        Choice(option: "--world") { $0.worldFile = "world.yaml" },
        Choice(option: "--prefix") { $0.prefix = "64:ff9b::/96" },
        Choice(option: "--client-prefix") { $0.request.clientLink = .standard },
        Choice(option: "--mtu") { $0.mtu = 1400 }, Choice(option: "--mtu") { $0.mtu = 1500 },
        Choice(option: "--world-mtu") { $0.worldMTU = 1500 },
        Choice(option: "--fault") { $0.faults = [LinkFault("ipv6-black-hole=1400")!] },
        Choice(option: "--dns-fault") { $0.dnsFaults = ["shop.test AAAA drop"] },
    ]

    @Test(arguments: choicesOfTheSimulator)
    private func `what a daemon decides cannot be given beside one, be it what is usual`(choice: Choice) throws {
        let byOption = try objection {
            $0.simulator = "unix:/run/x"
            choice.give(&$0)
        }
        #expect(byOption.hasPrefix("\(choice.option) is for the simulator to say (--simulator unix:/run/x)"))
        var environment = Self.environment
        environment["IPV6CHECK_SIMULATOR"] = "unix:/run/y"
        #expect(
            try objection(environment, choice.give)
                .hasPrefix("\(choice.option) is for the simulator to say (IPV6CHECK_SIMULATOR unix:/run/y)"))
    }

    @Test func `the simulator is a socket's path or one's own, and the option comes before the variable`() throws {
        var environment = Self.environment
        environment["IPV6CHECK_SIMULATOR"] = "unix:/run/y"
        #expect(try prepared(environment).simulatorPath == "/run/y")
        #expect(try prepared(environment) { $0.simulator = "unix:/run/x" }.simulatorPath == "/run/x")
        #expect(try prepared(environment) { $0.simulator = "own" }.simulatorPath == nil)
        #expect(try objection { $0.simulator = "unix:" }.hasPrefix("--simulator: unix: is neither unix:PATH nor own"))
        #expect(try objection { $0.simulator = "/run/x" }.hasPrefix("--simulator: /run/x is neither"))
    }

    @Test func `the links are as they were asked for`() throws {
        let links = try prepared {
            $0.mtu = 1280
            $0.worldMTU = 9000
            $0.faults = [LinkFault("ipv4-black-hole=1400")!]
        }.links
        #expect(links.clientMTU == 1280 && links.worldMTU == 9000 && links.faults.ipv4BlackHole == 1400)
        #expect(try prepared { $0.mtu = 1400 }.links.worldMTU == 1400)
        #expect(try prepared { $0.request.clientLink = .apple }.links.client == .apple)
        #expect(
            try objection {
                $0.prefix = "2001:db8:1::/48"
                $0.request.clientLink = try! ClientLink("2001:db8:1:2::/64")
            }.contains("contains the client's own link, 2001:db8:1:2::/64"))
        #expect(try objection { $0.mtu = 1279 } == "--mtu 1279: give a number from 1280 to 65535")
        #expect(try objection { $0.worldMTU = 575 } == "--world-mtu 575: give a number from 576 to 65535")
    }

    @Test func `a Pref64 takes the place of the world's, and faults come to them`() throws {
        let world = try prepared {
            $0.prefix = "2001:db8:64::/96"
            $0.dnsFaults = ["shop.test AAAA drop"]
        }.world
        #expect(world.translatedPrefixes == [try Pref64("2001:db8:64::/96")])
        #expect(world.dns64.resolver.faults.count == World.demo.dns64.resolver.faults.count + 1)
        #expect(try objection { $0.prefix = "2001:db8::/97" }.hasPrefix("--prefix: "))
        #expect(try objection { $0.dnsFaults = ["shop.test AAAA explode"] }.hasPrefix("--dns-fault: "))
        #expect(try objection { $0.worldFile = "/nowhere/world.yaml" }.hasPrefix("/nowhere/world.yaml"))
    }
}
