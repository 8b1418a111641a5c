// SPDX-License-Identifier: Apache-2.0
/// Which runs of a client have their system calls traced (`--trace`).
package enum TracePolicy: String, Sendable, CaseIterable {
    /// The first run and the control run; if the first run succeeded, the later run, too (`RunPlan.Step.later`).
    case always
    /// If the first run fails: the runs that confirm that, the second one and the control run. If it passes, and the kernel tells of something
    /// by IPv4: a second run, which explains that.
    case onFailure = "on-failure"
    /// No run; and nothing is preloaded into the client merely to record its behaviour.
    case never
}
