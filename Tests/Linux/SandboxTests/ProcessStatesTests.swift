// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `A report of processes` {
    @Test func `names those of a run, and what each is about`() throws {
        let probe = try Probe(["--", "sh", "-c", "echo ready; exec sleep 1000"])
        _ = try probe.waitFor("ready")
        let zygote = try probe.descendant(named: "zygote")
        kill(zygote, SIGSTOP)
        let report = try eventually("a report of the zygote that was stopped") {
            let report = ProcessStates.described(of: probe.process)
            return report.contains("zygote: stopped") ? report : nil
        }
        #expect(report.hasPrefix("SandboxProbe: "), "\(report)")
        #expect(report.contains("; guard: asleep"), "\(report)")
        #expect(report.contains("; keeper: asleep"), "\(report)")
        kill(zygote, SIGCONT)
        kill(probe.process, SIGTERM)
        _ = try probe.result()
    }

    @Test func `has nothing of a process that is not there`() {
        #expect(ProcessStates.described(of: .max) == "")
    }
}
