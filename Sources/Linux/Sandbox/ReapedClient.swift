// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxNet
internal import Wire

/// A client that has ended, with everything that it had left behind. Its guard, which ends with it, takes the mounts down, for which the
/// kernel needs a millisecond or more: that is waited for when this value goes.
package struct ReapedClient: ~Copyable {
    /// What had outlived the client; nothing where that was ended by its runner.
    package let survivors: Survivors
    /// The launcher's process, which is the guard's; `nil` if it is not to be waited for.
    private let launcher: Int32?
    private let deadline: Instant
    /// Whether the client may have processes in a cgroup of its own.
    private let hasGroup: Bool

    init(survivors: Survivors, launcher: Int32, deadline: Instant, hasGroup: Bool) {
        self.survivors = survivors
        self.launcher = launcher
        self.deadline = deadline
        self.hasGroup = hasGroup
    }

    /// One whose guard is gone, or another process's child.
    init(survivors: Survivors) {
        self.survivors = survivors
        launcher = nil
        deadline = .zero
        hasGroup = false
    }

    deinit {
        guard let launcher else { return }
        clinux_end_child(launcher, MonotonicClock.milliseconds(until: deadline))
        // The guard did so, unless the client has killed it.
        if hasGroup { clinux_end_cgroup(launcher) }
    }
}
