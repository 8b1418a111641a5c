// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// Functions for a process that starts programs for others, and ends them.
package enum OwnChildren {
    /// Drops this process's capabilities, which are only for making networks, and so those of its children, unless it runs as root.
    package static func giveUpRights() {
        guard geteuid() != 0 else { return }
        var sets = CapabilitySets.current()
        sets.drop()
        var raw = sets.raw
        _ = unsafe clinux_set_capabilities(&raw)
    }

    /// Makes this process the parent of its descendants' orphans from now on.
    package static func adopt() { clinux_adopt_orphans() }

    /// Ends all descendants, and waits for their end.
    package static func end() { clinux_end_own_descendants() }
}
