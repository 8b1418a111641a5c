// SPDX-License-Identifier: Apache-2.0
import Sandbox
import Testing
import Topology

@testable import CheckRunner

@Suite struct ClientEnvironmentTests {
    private func environment(_ entries: String...) -> ClientEnvironment {
        ClientEnvironment(inherited: Environment(entries: entries.map { OSString($0) }))
    }

    @Test func `proxies are taken out in either case`() {
        let client = environment(
            "PATH=/bin", "http_proxy=http://proxy:3128", "HTTPS_PROXY=http://proxy:3128", "no_proxy=")
        #expect(client.variables.entries == ["PATH=/bin"])
        #expect(client.removedProxies == ["http_proxy", "HTTPS_PROXY"])
    }

    @Test func `a proxy of the simulated network stays, with what it is not for`() {
        let client = ClientEnvironment(
            inherited: Environment(
                entries: [
                    "http_proxy=http://user@proxy.test:3128", "https_proxy=http://proxy.corp:3128", "NO_PROXY=a.test",
                ].map { OSString($0) }), isSimulated: { $0 == "proxy.test" })
        #expect(client.variables.entries == ["http_proxy=http://user@proxy.test:3128", "NO_PROXY=a.test"])
        #expect(client.removedProxies == ["https_proxy"])
    }

    @Test func `all proxies stay that are to be kept`() {
        let entries = ["http_proxy=http://proxy.corp:3128", "NO_PROXY=a.test", "ALL_PROXY=socks5://127.0.0.1"]
        let client = ClientEnvironment(
            inherited: Environment(entries: entries.map { OSString($0) }), proxies: .keep)
        #expect(client.variables.entries == entries.map { OSString($0) })
        #expect(client.removedProxies.isEmpty)
        let alone = ClientEnvironment(
            inherited: Environment(entries: ["no_proxy=a.test"]), proxies: .keep)
        #expect(alone.variables.entries == ["no_proxy=a.test"])
    }

    @Test func `everything else stays`() {
        let client = environment("A=1", "B", "C==")
        #expect(client.variables.entries == ["A=1", "B", "C=="])
        #expect(client.removedProxies.isEmpty)
    }
}
