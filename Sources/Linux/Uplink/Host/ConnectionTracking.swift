// SPDX-License-Identifier: Apache-2.0
internal import Sandbox

/// The kernel's connection tracking table, which the uplink's masquerading uses.
package enum ConnectionTracking {
    /// Number of free entries; `nil` if the kernel does not report it.
    package static var room: Int? {
        let folder = "/proc/sys/net/netfilter/"
        guard let limit = SystemControl.read(folder + "nf_conntrack_max").flatMap({ Int($0) }),
            let count = SystemControl.read(folder + "nf_conntrack_count").flatMap({ Int($0) })
        else { return nil }
        return max(0, limit - count)
    }
}
