// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// What a process has to do that starts programs for others, and ends them.
package enum OwnChildren {
    /// Rights are for the making of networks: this process and what it starts have none, unless it is root's.
    package static func giveUpRights() {
        guard geteuid() != 0 else { return }
        var sets = CapabilitySets.current()
        sets.drop()
        var raw = sets.raw
        _ = unsafe clinux_set_capabilities(&raw)
    }

    /// From now on this process inherits what its descendants leave behind.
    package static func adopt() { clinux_adopt_orphans() }

    /// Ends all descendants, and waits for that.
    package static func end() { clinux_end_own_descendants() }
}
