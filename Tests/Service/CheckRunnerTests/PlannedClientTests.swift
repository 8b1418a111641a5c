// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import LinuxNet
import Sandbox
import Testing
import Topology
import Wire

@testable import CheckRunner
@testable import Sandbox

@Suite struct `The plan of a client` {
    private let place = ReservedSlot(
        network: ClientNetwork(mtu: 1400), links: LinkConditions(),
        resolvers: [.ipv6(IPv6Address("2e00:2:0:1::1")!), .ipv4(IPv4Address(192, 0, 2, 1))],
        prefixes: ["64:ff9b::/96"], authority: nil)

    private func planned(
        at place: ReservedSlot, _ variables: OSString..., command: [String] = ["sh", "-c", "exit"],
        caches: TestCaches = .avoid
    ) throws -> PlannedClient {
        PlannedClient(
            try .ofTest(command: command, ["PATH=/usr/bin:/bin"] + variables) { $0.request.caches = caches },
            at: place, hostName: "here")
    }

    private func text(of path: String, in plan: ClientPlan) throws -> String {
        let file = try #require(plan.files.first { $0.paths == [path] })
        return String(decoding: file.contents, as: UTF8.self)
    }

    @Test func `is the client's own command, in the place that was reserved`() throws {
        let plan = try planned(at: place).plan
        #expect(plan.arguments == ["sh", "-c", "exit"] && plan.network.mtu == 1400)
        #expect(plan.socketName == nil, "nothing is preloaded, so nothing is reported")
    }

    @Test func `asks the place's resolvers, in their order`() throws {
        let plan = try planned(at: place).plan
        #expect(
            try text(of: "/etc/resolv.conf", in: plan)
                == "# made by ipv6check\nnameserver 2e00:2:0:1::1\nnameserver 192.0.2.1\n")
        #expect(try text(of: "/etc/hosts", in: plan).contains(" here\n"))
    }

    @Test func `says which proxies it takes away`() throws {
        #expect(try planned(at: place).notes.isEmpty)
        let one = try planned(at: place, "http_proxy=http://proxy:3128")
        #expect(one.notes == ["http_proxy was removed from the client's environment."])
        #expect(one.plan.environment["http_proxy"] == nil)
        let two = try planned(at: place, "http_proxy=http://proxy:3128", "ALL_PROXY=socks5://proxy")
        #expect(two.notes == ["http_proxy, ALL_PROXY were removed from the client's environment."])
    }

    @Test func `has go test run its tests, with the user's own flags`() throws {
        func flags(of planned: PlannedClient) -> OSString? { planned.plan.environment["GOFLAGS"] }
        let off: OSString = "GOENV=off"
        #expect(flags(of: try planned(at: place, off)) == "-count=1")
        #expect(flags(of: try planned(at: place, off, "GOFLAGS=-mod=mod")) == "-count=1 -mod=mod")
        #expect(flags(of: try planned(at: place, off, "GOFLAGS=-count=3")) == "-count=3")
        #expect(flags(of: try planned(at: place, off, caches: .keep)) == nil)
        #expect(flags(of: try planned(at: place, off, "GOFLAGS=-v", caches: .keep)) == "-v")
    }

    @Test func `says so of go test alone`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let go = folder.appending(path: "go").path
        #expect(FileManager.default.createFile(atPath: go, contents: nil, attributes: [.posixPermissions: 0o755]))
        func notes(_ arguments: String..., flags: OSString = "A=1", caches: TestCaches = .avoid) throws -> [String] {
            try planned(at: place, "GOENV=off", flags, command: [go] + arguments, caches: caches).notes
        }
        #expect(try notes("test", "./...").first?.hasPrefix("-count=1 was added to GOFLAGS") == true)
        #expect(try notes("build").isEmpty)
        #expect(try notes("test", caches: .keep).isEmpty)
        #expect(try notes("test", flags: "GOFLAGS=-count=2").isEmpty)
    }

    @Test func `leads to the test CA where the world has one`() throws {
        var place = place
        place.authority = "-----BEGIN CERTIFICATE-----\n"
        let plan = try planned(at: place).plan
        let path = try #require(plan.environment["SSL_CERT_FILE"]?.description)
        #expect(plan.files.contains { $0.paths.contains(path) })
        #expect(try planned(at: self.place).plan.environment["SSL_CERT_FILE"] == nil)
    }
}
