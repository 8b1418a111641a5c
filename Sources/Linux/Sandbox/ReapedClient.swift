// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxNet
internal import Wire

/// A client that has ended, with all its remaining processes. Its guard, which ends with it, unmounts the mounts, for which the kernel
/// needs a millisecond or more; the destruction of this value waits for that.
package struct ReapedClient: ~Copyable {
    /// The processes that had outlived the client; empty if its runner ended it.
    package let survivors: Survivors
    /// The launcher's process, which is now the guard; `nil` if it is not to be waited for.
    private let launcher: Int32?
    private let deadline: Instant
    /// Whether the client may have processes in its own cgroup.
    private let hasGroup: Bool

    init(survivors: Survivors, launcher: Int32, deadline: Instant, hasGroup: Bool) {
        self.survivors = survivors
        self.launcher = launcher
        self.deadline = deadline
        self.hasGroup = hasGroup
    }

    /// A client whose guard is gone, or is another process's child.
    init(survivors: Survivors) {
        self.survivors = survivors
        launcher = nil
        deadline = .zero
        hasGroup = false
    }

    deinit {
        guard let launcher else { return }
        clinux_end_child(launcher, MonotonicClock.milliseconds(until: deadline))
        // The guard has already done so, unless the client has killed it.
        if hasGroup { clinux_end_cgroup(launcher) }
    }
}
