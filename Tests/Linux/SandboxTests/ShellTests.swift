// SPDX-License-Identifier: Apache-2.0
import Topology
import Testing

@testable import Sandbox

@Suite struct `A plan's client` {
    private func plan(_ program: String, _ arguments: [OSString]) -> ClientPlan {
        ClientPlan(
            program: OSString(program), arguments: arguments, environment: Environment(entries: []),
            network: ClientNetwork(), files: [], inheritance: .take())
    }

    @Test func `is a shell for somebody at a terminal where it is a shell without arguments`() {
        #expect(plan("/usr/bin/dash", ["sh"]).isShell)
        #expect(plan("bash", ["bash"]).isShell)
        #expect(!plan("/bin/bash", ["bash", "script"]).isShell)
        #expect(!plan("/usr/bin/curl", ["curl"]).isShell)
    }
}
