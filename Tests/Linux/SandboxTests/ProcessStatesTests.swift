// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `A report of processes` {
    @Test func `names those of a run, and what each is about`() throws {
        let probe = try Probe(["--", "sh", "-c", "echo ready; exec sleep 1000"])
        _ = try probe.waitFor("ready")
        let zygote = try probe.descendant(named: "zygote")
        kill(zygote, SIGSTOP)
        var report = ""
        // On a busy machine the guard and the keeper have not come to their wait when the client is ready.
        let isComplete = comesTrue {
            report = ProcessStates.described(of: probe.process)
            return ["zygote: stopped", "; guard: asleep", "; keeper: asleep"].allSatisfy(report.contains)
        }
        #expect(isComplete && report.hasPrefix("SandboxProbe: "), "\(report)")
        kill(zygote, SIGCONT)
        kill(probe.process, SIGTERM)
        _ = try probe.result()
    }

    @Test func `has nothing of a process that is not there`() {
        #expect(ProcessStates.described(of: .max) == "")
    }
}
